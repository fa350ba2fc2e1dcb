package io.samewire.redis.client;

import java.nio.charset.StandardCharsets;

/** Channels, patterns, and channels of a cluster's shards. */
enum SubscriptionKind {
    CHANNEL("", 1),
    PATTERN("P", 2),
    SHARD("S", 1);

    final String subscribe;
    final String unsubscribe;
    private final byte[] subscribed;
    private final byte[] unsubscribed;
    private final byte[] message;
    /** Names in a message before its payload. */
    final int names;

    SubscriptionKind(String letter, int names) {
        subscribe = letter + "SUBSCRIBE";
        unsubscribe = letter + "UNSUBSCRIBE";
        subscribed = lower(subscribe);
        unsubscribed = lower(unsubscribe);
        message = lower(letter + "MESSAGE");
        this.names = names;
    }

    private static byte[] lower(String word) {
        return word.toLowerCase(java.util.Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1);
    }

    boolean isMessage(byte[] word) {
        return java.util.Arrays.equals(word, message);
    }

    boolean isSubscribed(byte[] word) {
        return java.util.Arrays.equals(word, subscribed);
    }

    boolean isUnsubscribed(byte[] word) {
        return java.util.Arrays.equals(word, unsubscribed);
    }
}
