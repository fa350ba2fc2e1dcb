/** Py4J's public Java classes, over {@link io.samewire.bridge}. */
module io.samewire.py4j {
    exports io.samewire.py4j;
    exports py4j;
    exports py4j.commands;
    exports py4j.reflection;

    requires io.samewire.bridge;
    requires transitive java.logging;
}
