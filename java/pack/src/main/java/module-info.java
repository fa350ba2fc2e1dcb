/** Typed values and compact bytes, the same in every language: {@link io.samewire.pack}. */
module io.samewire.pack {
    exports io.samewire.pack;

    requires org.objectweb.asm;
    // Words in memory. All works without it, but slower; nobody else would bring it into a program of named modules.
    requires jdk.unsupported;
}
