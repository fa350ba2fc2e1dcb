package io.samewire.bench;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.blackbird.BlackbirdModule;
import io.samewire.tour.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;

/** Jackson, as JSON or CBOR: reader and writer of one type, accessors by Blackbird. Times are numbers, as it writes them by default. */
public final class WithJackson implements Peer {
    private final ObjectWriter writer;
    private final ObjectReader reader;

    private WithJackson(Workload workload, ObjectMapper mapper) {
        mapper.registerModules(new BlackbirdModule(), new Jdk8Module(), new JavaTimeModule()).setAnnotationIntrospector(new Names());
        JavaType type = mapper.constructType(workload.type().type().getType());
        writer = mapper.writerFor(type);
        reader = mapper.readerFor(type);
    }

    /** One row a format. */
    public static Map<String, Library> rows() {
        return Map.of(
                "jackson-json", row(ObjectMapper.class, WithJackson::json),
                "jackson-cbor", row(CBORFactory.class, workload -> new WithJackson(workload, new ObjectMapper(new CBORFactory()))));
    }

    private static Library row(Class<?> from, Function<Workload, Peer> open) {
        return new Library(from, "typed", "syntax, types of fields, sizes, depth", false, true, open);
    }

    /** For JSON: what the user's own data are, too. */
    static WithJackson json(Workload workload) {
        return new WithJackson(workload, new ObjectMapper());
    }

    @Override
    public byte[] encode(Object value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public Object decode(byte[] data) {
        try {
            return reader.readValue(data);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
