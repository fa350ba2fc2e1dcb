/**
 * Typed values and compact bytes, the same in every language: {@link io.samewire.pack}; as columns: {@link
 * io.samewire.pack.columns}; in files: {@link io.samewire.pack.records}.
 */
module io.samewire.pack {
    exports io.samewire.pack;
    exports io.samewire.pack.columns;
    exports io.samewire.pack.records;

    requires transitive io.samewire.core;
    requires org.objectweb.asm;
    // zstd-jni, for compressed record files, where the program has it.
    requires static com.github.luben.zstd_jni;
    // sun.misc.Unsafe, for whole words of a byte array. Pack works without it, more slowly.
    requires jdk.unsupported;
}
