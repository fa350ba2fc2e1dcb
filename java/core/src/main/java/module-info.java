/** What every part of Samewire shares: {@link io.samewire.core}. */
module io.samewire.core {
    exports io.samewire.core;
}
