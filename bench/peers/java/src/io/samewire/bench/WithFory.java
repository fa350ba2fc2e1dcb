package io.samewire.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/** Apache Fory, one instance for one thread, registered classes, generated code, no reference tracking; records or beans. */
public final class WithFory implements Peer {
    private final Fory fory;
    private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1 << 20);
    private final boolean beans;

    /** A book with fields that are set one by one. */
    public static final class BookBean {
        private String id;
        private String name;
        private String author;
        private int year;

        @Override
        public boolean equals(Object other) {
            return other instanceof BookBean that
                    && id.equals(that.id)
                    && name.equals(that.name)
                    && author.equals(that.author)
                    && year == that.year;
        }

        @Override
        public int hashCode() {
            return Objects.hash(id, name, author, year);
        }
    }

    /** A node with fields that are set one by one. */
    public static final class NodeBean {
        private String name;
        private String color;
        private List<NodeBean> children;

        @Override
        public boolean equals(Object other) {
            return other instanceof NodeBean that
                    && name.equals(that.name)
                    && color.equals(that.color)
                    && children.equals(that.children);
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, color, children);
        }
    }

    /** Variants: {@code records}, {@code beans}. */
    public WithFory(String variant, String shape) {
        beans = variant.equals("beans");
        fory =
                Fory.builder()
                        .withXlang(false)
                        .withCompatible(false)
                        .withRefTracking(false)
                        .requireClassRegistration(true)
                        .withCodegen(true)
                        .withAsyncCompilation(false)
                        .build();
        for (Class<?> type : List.of(Event.class, Book.class, Node.class, BookBean.class, NodeBean.class)) {
            fory.register(type);
        }
    }

    @Override
    public String version() {
        return "1.6.0";
    }

    @Override
    public Object adapt(Object neutral) {
        if (beans && neutral instanceof Node node) {
            return bean(node);
        } else if (beans && neutral instanceof List<?> list && list.get(0) instanceof Book) {
            List<BookBean> books = new ArrayList<>();
            list.forEach(book -> books.add(bean((Book) book)));
            return books;
        }
        return neutral;
    }

    private static BookBean bean(Book book) {
        BookBean bean = new BookBean();
        bean.id = book.id();
        bean.name = book.name();
        bean.author = book.author();
        bean.year = book.year();
        return bean;
    }

    private static NodeBean bean(Node node) {
        NodeBean bean = new NodeBean();
        bean.name = node.name();
        bean.color = node.color();
        bean.children = new ArrayList<>();
        node.children().forEach(child -> bean.children.add(bean(child)));
        return bean;
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
