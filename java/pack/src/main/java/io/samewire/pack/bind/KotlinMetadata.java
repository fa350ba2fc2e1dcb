package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What only Kotlin's compiler knows of a class: which types may be null, also inside other types, which parameters have
 * defaults, which classes are sealed. It stands in the annotation {@code kotlin.Metadata} as protobuf messages, whose
 * definition is {@code metadata.proto} and {@code jvm_metadata.proto} of Kotlin's compiler. Fields of no use here are
 * skipped, as protobuf has it, so that later versions of Kotlin 2 are read as well.
 */
final class KotlinMetadata {
    /** Kotlin 1.4 and later; a major version may change what the fields mean. */
    private static final int NEWEST_MAJOR = 2;
    private static final int CLASS = 1;
    private static final int DEEPEST = 64;
    /**
     * Types, names and their characters that one class's metadata may come to. A type of its table may refer to others
     * there twice, so that a hundred bytes stand for more types than can be read.
     */
    private static final int MOST = 1_000_000;
    /** The first character of {@code d1} if each further character is one byte. */
    private static final char BYTES = 0;

    /** A value parameter of the primary constructor. */
    record Parameter(String name, KotlinType type, boolean hasDefault) {}

    private final Class<?> owner;
    private final String[] strings;
    private final List<Entry> entries = new ArrayList<>();
    private final List<Wire> tableTypes = new ArrayList<>();
    private int firstNullable = -1;
    private int flags = 6;
    private int read;
    /** The parameters of the primary constructor. */
    final List<Parameter> parameters = new ArrayList<>();
    /** The types of properties by their names. */
    final Map<String, KotlinType> properties = new LinkedHashMap<>();
    /** The binary names of the direct subclasses of a sealed class. */
    final List<String> subclasses = new ArrayList<>();

    /** How a string of the messages is made of {@code d2}. */
    private record Entry(boolean predefined, String text, int operation, List<Integer> substring,
        List<Integer> replaced) {}

    private KotlinMetadata(Class<?> owner, byte[] data, String[] strings) {
        this.owner = owner;
        this.strings = strings;
        Wire whole = new Wire(data, 0, data.length);
        strings(whole.message());
        body(whole);
    }

    /** What Kotlin's compiler says of a class; null if another compiler has made it. */
    static KotlinMetadata of(Class<?> type) {
        for (Annotation annotation : type.getDeclaredAnnotations()) {
            if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
                return read(type, annotation);
            }
        }
        return null;
    }

    private static KotlinMetadata read(Class<?> type, Annotation annotation) {
        int[] version = (int[]) element(annotation, "mv");
        String[] data = (String[]) element(annotation, "d1");
        if ((int) element(annotation, "k") != CLASS) {
            return null;
        }
        String joined = String.join("", data);
        if (version.length == 0 || version[0] > NEWEST_MAJOR || joined.isEmpty() || joined.charAt(0) != BYTES) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, type.getName() + " has Kotlin metadata of version "
                + java.util.Arrays.toString(version) + ", and those of Kotlin 1.4 to 2 are read: write the class by a"
                + " Converter, or compile it with -Xmetadata-version=2.0.0");
        }
        try {
            return new KotlinMetadata(type, joined.substring(1).getBytes(StandardCharsets.ISO_8859_1),
                (String[]) element(annotation, "d2"));
        } catch (IndexOutOfBoundsException damaged) {
            throw damaged(type);
        }
    }

    private static Object element(Annotation annotation, String name) {
        try {
            return annotation.annotationType().getMethod(name).invoke(annotation);
        } catch (ReflectiveOperationException closed) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, "kotlin.Metadata has no readable " + name, closed);
        }
    }

    private static SamewireException damaged(Class<?> owner) {
        return new SamewireException(Code.UNSUPPORTED, -1, null,
            "the Kotlin metadata of " + owner.getName() + " cannot be read: a tool has changed the class; keep"
                + " kotlin.Metadata as the compiler wrote it");
    }

    private void charge(int nodes) {
        read += nodes;
        if (read > MOST) {
            throw damaged(owner);
        }
    }

    /** Whether it is a sealed class or interface. */
    boolean isSealed() {
        return (flags >> 4 & 3) == 3;
    }

    /** The only instance of an object; null for other classes. */
    Field instance() {
        if ((flags >> 6 & 7) != 5) {
            return null;
        }
        try {
            return owner.getDeclaredField("INSTANCE");
        } catch (NoSuchFieldException none) {
            throw damaged(owner);
        }
    }

    private void strings(Wire table) {
        while (table.next()) {
            if (table.field != 1) {
                table.skip();
                continue;
            }
            Wire record = table.message();
            int range = 1;
            boolean predefined = false;
            String text = null;
            int operation = 0;
            List<Integer> substring = new ArrayList<>();
            List<Integer> replaced = new ArrayList<>();
            while (record.next()) {
                switch (record.field) {
                    case 1 -> range = record.number();
                    case 2 -> {
                        record.number();
                        predefined = true;
                    }
                    case 3 -> operation = record.number();
                    case 4 -> record.numbers(substring);
                    case 5 -> record.numbers(replaced);
                    case 6 -> text = record.text();
                    default -> record.skip();
                }
            }
            Entry entry = new Entry(predefined, text, operation, substring, replaced);
            for (int i = 0; i < range && entries.size() < strings.length; i++) {
                entries.add(entry);
            }
        }
    }

    /** A string; empty for the names of Kotlin's own classes that its compiler has numbers for: none is needed here. */
    private String string(int index) {
        if (index >= entries.size()) {
            return strings[index];
        }
        Entry entry = entries.get(index);
        if (entry.predefined) {
            return "";
        }
        String text = entry.text == null ? strings[index] : entry.text;
        charge(text.length());
        if (entry.substring.size() >= 2) {
            text = text.substring(entry.substring.get(0), entry.substring.get(1));
        }
        if (entry.replaced.size() >= 2) {
            text = text.replace((char) (int) entry.replaced.get(0), (char) (int) entry.replaced.get(1));
        }
        return switch (entry.operation) {
            case 1 -> text.replace('$', '.');
            case 2 -> text.substring(1, text.length() - 1).replace('$', '.');
            default -> text;
        };
    }

    private void body(Wire message) {
        List<Wire> constructors = new ArrayList<>();
        List<Wire> members = new ArrayList<>();
        while (message.next()) {
            switch (message.field) {
                case 1 -> flags = message.number();
                case 8 -> constructors.add(message.message());
                case 10 -> members.add(message.message());
                case 16 -> {
                    List<Integer> names = new ArrayList<>();
                    message.numbers(names);
                    names.forEach(name -> subclasses.add(binary(string(name))));
                }
                case 30 -> typeTable(message.message());
                default -> message.skip();
            }
        }
        constructors.forEach(this::constructor);
        members.forEach(this::property);
    }

    /** {@code a/b/Outer.Inner} as {@code a.b.Outer$Inner}. */
    static String binary(String name) {
        return name.replace('.', '$').replace('/', '.');
    }

    private void typeTable(Wire table) {
        while (table.next()) {
            switch (table.field) {
                case 1 -> tableTypes.add(table.message());
                case 2 -> firstNullable = table.number();
                default -> table.skip();
            }
        }
    }

    private void constructor(Wire message) {
        boolean secondary = false;
        List<Parameter> found = new ArrayList<>();
        while (message.next()) {
            switch (message.field) {
                case 1 -> secondary = (message.number() & 16) != 0;
                case 2 -> found.add(parameter(message.message()));
                default -> message.skip();
            }
        }
        if (!secondary) {
            parameters.addAll(found);
        }
    }

    private Parameter parameter(Wire message) {
        int given = 0;
        String name = null;
        KotlinType type = KotlinType.UNKNOWN;
        while (message.next()) {
            switch (message.field) {
                case 1 -> given = message.number();
                case 2 -> name = string(message.number());
                case 3 -> type = type(message.message(), 0);
                case 5 -> type = tableType(message.number(), 0);
                default -> message.skip();
            }
        }
        if (name == null) {
            throw damaged(owner);
        }
        return new Parameter(name, type, (given & 2) != 0);
    }

    private void property(Wire message) {
        String name = null;
        KotlinType type = KotlinType.UNKNOWN;
        while (message.next()) {
            switch (message.field) {
                case 2 -> name = string(message.number());
                case 3 -> type = type(message.message(), 0);
                case 9 -> type = tableType(message.number(), 0);
                default -> message.skip();
            }
        }
        if (name == null) {
            throw damaged(owner);
        }
        properties.put(name, type);
    }

    private KotlinType tableType(int index, int depth) {
        KotlinType type = type(tableTypes.get(index).again(), depth);
        return firstNullable < 0 || index < firstNullable ? type
            : new KotlinType(type.className(), true, type.arguments());
    }

    private KotlinType type(Wire message, int depth) {
        charge(1);
        if (depth > DEEPEST) {
            throw damaged(owner);
        }
        String name = "";
        boolean nullable = false;
        List<KotlinType> arguments = new ArrayList<>();
        while (message.next()) {
            switch (message.field) {
                case 2 -> arguments.add(argument(message.message(), depth + 1));
                case 3 -> nullable = message.number() != 0;
                case 6 -> name = string(message.number());
                default -> message.skip();
            }
        }
        return new KotlinType(name, nullable, arguments);
    }

    private KotlinType argument(Wire message, int depth) {
        KotlinType type = KotlinType.UNKNOWN;
        while (message.next()) {
            switch (message.field) {
                case 2 -> type = type(message.message(), depth);
                case 3 -> type = tableType(message.number(), depth);
                default -> message.skip();
            }
        }
        return type;
    }

    /** The fields of one protobuf message. What is cut off ends in an {@link IndexOutOfBoundsException}. */
    private static final class Wire {
        private final byte[] data;
        private final int start;
        private final int end;
        private int at;
        private int kind;
        private int field;

        Wire(byte[] data, int start, int end) {
            if (start < 0 || end < start || end > data.length) {
                throw new IndexOutOfBoundsException(end);
            }
            this.data = data;
            this.start = start;
            this.at = start;
            this.end = end;
        }

        Wire again() {
            return new Wire(data, start, end);
        }

        boolean next() {
            if (at >= end) {
                return false;
            }
            int tag = number();
            kind = tag & 7;
            field = tag >>> 3;
            return true;
        }

        int number() {
            long value = 0;
            for (int shift = 0;; shift += 7) {
                if (shift > 63 || at >= end) {
                    throw new IndexOutOfBoundsException(at);
                }
                byte next = data[at++];
                value |= (next & 127L) << shift;
                if (next >= 0) {
                    return (int) value;
                }
            }
        }

        Wire message() {
            int length = number();
            Wire inner = new Wire(data, at, at + length);
            at += length;
            return inner;
        }

        String text() {
            Wire inner = message();
            return new String(data, inner.start, inner.end - inner.start, StandardCharsets.UTF_8);
        }

        /** A repeated number, packed or not. */
        void numbers(List<Integer> into) {
            if (kind == 0) {
                into.add(number());
                return;
            }
            Wire packed = message();
            while (packed.at < packed.end) {
                into.add(packed.number());
            }
        }

        void skip() {
            switch (kind) {
                case 0 -> number();
                case 1 -> at += 8;
                case 2 -> message();
                case 5 -> at += 4;
                default -> throw new IndexOutOfBoundsException(at);
            }
        }
    }
}
