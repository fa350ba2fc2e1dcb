package io.samewire.bench;

/** A flat record. */
public record Book(String id, String name, String author, int publicationYear) {}
