package io.samewire.bench;

import java.util.List;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/** Apache Fory, one instance for one thread, registered classes, generated code, no reference tracking. Beans measured as fast as records. */
public final class WithFory implements Peer {
    private final Fory fory;
    private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1 << 20);

    /** One variant: {@code records}. */
    public WithFory(String variant, String shape) {
        fory =
                Fory.builder()
                        .withXlang(false)
                        .withCompatible(false)
                        .withRefTracking(false)
                        .requireClassRegistration(true)
                        .withCodegen(true)
                        .withAsyncCompilation(false)
                        .build();
        for (Class<?> type : List.of(Event.class, Book.class, Node.class)) {
            fory.register(type);
        }
    }

    @Override
    public String version() {
        return "1.6.0";
    }

    @Override
    public byte[] encode(Object value) {
        return fory.serialize(value);
    }

    @Override
    public int into(Object value) {
        buffer.writerIndex(0);
        fory.serialize(buffer, value);
        return buffer.writerIndex();
    }

    @Override
    public Object decode(byte[] data) {
        return fory.deserialize(data);
    }
}
