/** Typed values and compact bytes, the same in every language: {@link io.samewire.pack}. */
module io.samewire.pack {
    exports io.samewire.pack;

    requires transitive io.samewire.core;
    requires org.objectweb.asm;
    // sun.misc.Unsafe, for whole words of a byte array. Pack works without it, more slowly.
    requires jdk.unsupported;
}
