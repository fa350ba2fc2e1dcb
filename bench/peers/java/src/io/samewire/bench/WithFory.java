package io.samewire.bench;

import java.util.Map;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/**
 * Apache Fory, one instance for one thread, registered classes, generated code, no reference tracking. Beans measured as fast as
 * records. {@code fory-buffer} writes to a kept buffer and copies the bytes out of it; {@code fory-xlang} is the format between languages.
 */
public final class WithFory implements Peer {
    private final Fory fory;
    private final boolean buffered;
    private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1 << 20);

    private WithFory(Workload workload, boolean xlang, boolean buffered) {
        this.buffered = buffered;
        fory =
                Fory.builder()
                        .withXlang(xlang)
                        .withCompatible(false)
                        .withRefTracking(false)
                        .requireClassRegistration(true)
                        .withCodegen(true)
                        .withAsyncCompilation(false)
                        .build();
        workload.classes().forEach(fory::register);
    }

    /** Three ways to use it. */
    public static Map<String, Library> rows() {
        return Map.of("fory", row(false, false), "fory-buffer", row(false, true), "fory-xlang", row(true, false));
    }

    private static Library row(boolean xlang, boolean buffered) {
        String checks = "bounds, registered classes";
        return new Library(Fory.class, "typed", checks, false, true, workload -> new WithFory(workload, xlang, buffered));
    }

    @Override
    public byte[] encode(Object value) {
        return buffered ? buffer.getBytes(0, into(value)) : fory.serialize(value);
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
