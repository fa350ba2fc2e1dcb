/** Columns of messages as Arrow tables. */
module io.samewire.pack.arrow {
    exports io.samewire.pack.arrow;

    requires transitive io.samewire.pack;
    requires transitive org.apache.arrow.vector;
    requires transitive org.apache.arrow.memory.core;
}
