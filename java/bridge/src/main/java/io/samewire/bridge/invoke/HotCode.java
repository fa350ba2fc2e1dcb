package io.samewire.bridge.invoke;

/** Makes code for sites that are called often. */
final class HotCode {
    /** After so many calls a site is worth code of its own. */
    static final int CALLS = 400;

    private HotCode() {}

    static void make(Call call) {
    }
}
