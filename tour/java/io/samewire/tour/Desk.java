package io.samewire.tour;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.samewire.pack.Pack;
import io.samewire.pack.TypeRef;
import java.io.IOException;

/** What Python calls: it hands a data set over and gets it back, as a message of pack through Samewire's bridge, or as JSON text through Py4J. */
public final class Desk {
    private static final String TYPES = "io.samewire.tour.types.";

    private final TypeRef<?> root;
    private final ObjectReader reader;
    private final ObjectWriter writer;
    private Object value;

    /** A desk for the data set of this outer class. */
    public Desk(String outer) throws ReflectiveOperationException {
        this.root = type(outer);
        ObjectMapper mapper = new ObjectMapper().setAnnotationIntrospector(new Names());
        var plain = mapper.constructType(type(outer + "Plain").type().getType());
        this.reader = mapper.readerFor(plain);
        this.writer = mapper.writerFor(plain);
    }

    private static TypeRef<?> type(String outer) throws ReflectiveOperationException {
        return (TypeRef<?>) Class.forName(TYPES + outer).getField("TYPE").get(null);
    }

    /** Keeps what a JSON text says. */
    public void takeJson(String text) throws IOException {
        this.value = reader.readValue(text);
    }

    /** Returns what was taken, as a JSON text. */
    public String giveJson() throws IOException {
        return writer.writeValueAsString(value);
    }

    /** Keeps the objects of a message of pack. */
    public void takePacked(byte[] message) {
        this.value = Pack.codec(root).decode(message);
    }

    /** Returns the objects that were taken as a message of pack. */
    public byte[] packed() {
        return encoded(root);
    }

    @SuppressWarnings("unchecked")
    private <T> byte[] encoded(TypeRef<T> type) {
        return Pack.codec(type).encode((T) value);
    }
}
