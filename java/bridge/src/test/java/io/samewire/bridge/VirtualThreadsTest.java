package io.samewire.bridge;

import java.nio.file.Path;

/** What a gateway does, with a virtual thread for each connection where the JVM has them. */
class VirtualThreadsTest extends GatewayTest {
    @Override
    GatewayBuilder builder(Path folder) {
        return super.builder(folder).platformThreads(0);
    }

    @Override
    boolean isVirtual() {
        return true;
    }
}
