/** Python calls objects of the JVM, and the JVM those of Python: {@link io.samewire.bridge}. */
module io.samewire.bridge {
    exports io.samewire.bridge;

    requires transitive io.samewire.core;
    requires transitive io.samewire.pack;
    requires org.objectweb.asm;
}
