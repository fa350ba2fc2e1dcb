package io.samewire.tour;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.samewire.pack.TypeRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;
import org.msgpack.jackson.dataformat.MessagePackFactory;

/** What people on the JVM use today, each set up as its documentation says is fastest. */
final class Peers {
    private Peers() {}

    /** Jackson, for JSON or (by its factory) for msgpack, and one root type. */
    static final class WithJackson {
        private final ObjectWriter writer;
        private final ObjectReader reader;

        WithJackson(ObjectMapper mapper, TypeRef<?> root) {
            mapper.setAnnotationIntrospector(new Names());
            JavaType type = mapper.constructType(root.type().getType());
            this.writer = mapper.writerFor(type);
            this.reader = mapper.readerFor(type);
        }

        byte[] encode(Object value) {
            try {
                return writer.writeValueAsBytes(value);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }

        Object decode(byte[] data) {
            try {
                return reader.readValue(data);
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    static WithJackson json(TypeRef<?> root) {
        return new WithJackson(new ObjectMapper(), root);
    }

    static WithJackson msgpack(TypeRef<?> root) {
        return new WithJackson(new ObjectMapper(new MessagePackFactory()), root);
    }

    /** Apache Fory: registered classes, generated code, no reference tracking. */
    static final class WithFory {
        private final Fory fory = Fory.builder()
                .withXlang(false)
                .withCompatible(false)
                .withRefTracking(false)
                .requireClassRegistration(true)
                .withCodegen(true)
                .withAsyncCompilation(false)
                .build();
        private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1 << 16);

        WithFory(Class<?> outer) {
            for (Class<?> type : outer.getDeclaredClasses()) {
                fory.register(type);
            }
        }

        byte[] encode(Object value) {
            buffer.writerIndex(0);
            fory.serialize(buffer, value);
            return buffer.getBytes(0, buffer.writerIndex());
        }

        Object decode(byte[] data) {
            return fory.deserialize(data);
        }
    }
}
