package io.samewire.bench;

/** A small record. */
public record Event(int i, boolean b) {}
