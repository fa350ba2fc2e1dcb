/** Python calls objects of the JVM, and the JVM those of Python: {@link io.samewire.bridge}. */
module io.samewire.bridge {
    exports io.samewire.bridge;
    // Its record of a date and a time.
    opens io.samewire.bridge.value to io.samewire.pack;

    requires transitive io.samewire.core;
    requires transitive io.samewire.pack;
    requires org.objectweb.asm;
}
