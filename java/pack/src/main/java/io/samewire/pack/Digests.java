package io.samewire.pack;

/**
 * What a codec does about the digest of its schema.
 *
 * @param written whether its messages carry it
 * @param required whether messages that carry none are refused
 */
record Digests(boolean written, boolean required) {}
