package io.samewire.bench;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** protobuf: proto3 messages by its compiler's code. Decoding leaves texts as bytes until they are asked for. */
public final class WithProtobuf implements Peer {
    private final Parser<? extends MessageLite> parser;
    private final byte[] buffer = new byte[1 << 20];

    private WithProtobuf(Workload workload) {
        parser = message(workload.value()).getParserForType();
    }

    /** One row. */
    public static Map<String, Library> rows() {
        String checks = "bounds, UTF-8, depth; texts stay bytes";
        return Map.of("protobuf", new Library(MessageLite.class, "schema", checks, false, false, WithProtobuf::new));
    }

    @Override
    public Object adapt(Object neutral) {
        return message(neutral);
    }

    @SuppressWarnings("unchecked")
    private static MessageLite message(Object value) {
        if (value instanceof Event event) {
            return Messages.Event.newBuilder().setI(event.i()).setB(event.b()).build();
        } else if (value instanceof Node node) {
            return node(node);
        } else if (value instanceof int[] numbers) {
            return Messages.Ints.newBuilder().addAllValue(IntStream.of(numbers).boxed().toList()).build();
        } else if (value instanceof double[] numbers) {
            return Messages.Doubles.newBuilder().addAllValue(DoubleStream.of(numbers).boxed().toList()).build();
        } else if (value instanceof Map<?, ?> map) {
            return Messages.Counts.newBuilder().putAllValue((Map<String, Integer>) map).build();
        }
        List<?> items = (List<?>) value;
        if (items.get(0) instanceof String) {
            return Messages.Strings.newBuilder().addAllValue((List<String>) items).build();
        }
        return Messages.Books.newBuilder().addAllValue(items.stream().map(item -> book((Book) item)).toList()).build();
    }

    private static Messages.Book book(Book book) {
        Messages.Book.Builder builder = Messages.Book.newBuilder().setId(book.id()).setName(book.name());
        return builder.setAuthor(book.author()).setPublicationYear(book.publicationYear()).build();
    }

    private static Messages.Node node(Node node) {
        Messages.Node.Builder builder = Messages.Node.newBuilder().setName(node.name()).setColor(node.color());
        return builder.addAllChildren(node.children().stream().map(WithProtobuf::node).toList()).build();
    }

    @Override
    public byte[] encode(Object value) {
        return ((MessageLite) value).toByteArray();
    }

    @Override
    public int into(Object value) {
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(buffer);
            ((MessageLite) value).writeTo(out);
            return out.getTotalBytesWritten();
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    @Override
    public Object decode(byte[] data) {
        try {
            return parser.parseFrom(data);
        } catch (InvalidProtocolBufferException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
