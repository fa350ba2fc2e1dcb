package io.samewire.bench.bridge;

/** What crosses by value, a hundred thousand at a time. */
public record Item(int id, String name, double price) {}
