package io.samewire.bench.bridge;

/** What crosses by value, a hundred thousand at a time. */
public record Item(long id, String name, double price) {}
