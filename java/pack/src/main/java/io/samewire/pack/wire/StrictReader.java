package io.samewire.pack.wire;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The strict re-reader: reads a message by its schema in the order of its bytes and reports the first error with code,
 * offset and path ({@code spec/pack.md} section 12). It runs after generated code has thrown a {@link Fault}, and over
 * slots that a resolving reader lacks.
 *
 * <p>The reader's type accompanies the writer's; it is null inside slots that the reader lacks.
 */
public final class StrictReader extends StrictColumns {
    private static final Object READ = new Object();

    private StrictReader(MessageRules rules, Reader in) {
        super(rules, in);
    }

    /** Returns the error of a message that generated code has refused; null if there is none. */
    public static SamewireException error(MessageRules rules, byte[] message, int from, int to) {
        try {
            Reader in = new Reader(message, from, to, rules.limits());
            new StrictReader(rules, in).message();
            return null;
        } catch (SamewireException error) {
            return error;
        }
    }

    static void skip(MessageRules rules, SchemaType type, Reader in, boolean option) {
        StrictReader walker = new StrictReader(rules, in);
        if (option) {
            walker.chargeApart(type);
        }
        walker.slot(type, null);
    }

    static void skipColumn(MessageRules rules, SchemaType type, Reader in, int m) {
        new StrictReader(rules, in).column(type, null, m, false);
    }

    private void message() {
        if (in.end - in.start > rules.limits().frameBytes()) {
            throw fail(Code.LIMIT_SIZE, in.start, "a message of " + (in.end - in.start)
                + " bytes, limits.frameBytes is " + rules.limits().frameBytes() + RAISE);
        }
        int header = unsignedByte();
        if ((header & Header.VERSION) == 0) {
            throw fail(Code.UNSUPPORTED, in.start,
                "a message of this version of the format begins with 80 to ff, this with "
                    + HexFormat.of().toHexDigits((byte) header));
        }
        digest(header);
        in.aligned = (header & Header.ALIGNED) != 0;
        long latinBytes = (header & Header.TEXT) != 0 ? blockLength(1, 0) : 0;
        long wideBytes = (header & Header.WIDE) != 0 ? 2L * blockLength(2, latinBytes) : 0;
        long utf8Bytes = (header & Header.UTF8) != 0 ? blockLength(1, latinBytes + wideBytes) : 0;
        in.latin = take(latinBytes);
        in.latinEnd = in.pos;
        in.wide = take(wideBytes);
        in.wideEnd = in.pos;
        in.utf8 = take(utf8Bytes);
        in.utf8End = in.pos;
        if ((header & Header.REFS) != 0) {
            in.texts = new String[16];
        }
        if (in.aligned) {
            padding(1);
        }
        charge(rules.cells().slot(rules.writer()), in.pos);
        row(List.of(rules.writer()), i -> rules.reader(), i -> "");
        if (in.pos < in.end) {
            throw fail(Code.TRAILING, in.pos, (in.end - in.pos)
                + " bytes are left after the value: a stream of messages needs frames (FrameScanner)");
        }
        int unused = in.latin != in.latinEnd ? in.latin : in.wide != in.wideEnd ? in.wide : in.utf8;
        if (unused != in.utf8End) {
            throw fail(Code.MALFORMED, unused, "text that no value uses");
        }
    }

    private void digest(int header) {
        boolean whole = (header & Header.DIGEST) != 0;
        if (whole && (header & Header.CHECK) != 0) {
            throw fail(Code.MALFORMED, in.start, "a message with both the digest of its schema and the check of it");
        } else if (!whole && (header & Header.CHECK) == 0) {
            return;
        }
        int at = take(whole ? Header.DIGEST_BYTES : Header.CHECK_BYTES);
        boolean same = whole ? Bytes.getLong(in.buf, at) == Long.reverseBytes(rules.digest())
            : Bytes.getChar(in.buf, at) == Header.check(rules.digest());
        if (!same) {
            throw fail(Code.SCHEMA_MISMATCH, at,
                "written with another schema: decode it by codec.resolve(the writer's schema)");
        }
    }

    private int blockLength(int width, long before) {
        int at = in.pos;
        int length = length();
        if (length == 0) {
            throw fail(Code.MALFORMED, at, "a block of text is empty");
        }
        if (before + (long) length * width > rules.limits().textBytes()) {
            throw fail(Code.LIMIT_SIZE, at, "more than " + rules.limits().textBytes()
                + " bytes of text (limits.textBytes)" + RAISE);
        }
        return length;
    }

    private void deeper(int at) {
        if (--in.depth < 0) {
            throw fail(Code.LIMIT_DEPTH, at, "nested deeper than " + rules.limits().depth() + " levels (limits.depth)"
                + RAISE);
        }
    }

    /** A count of elements whose row is of that form, and which take {@code cells} each. */
    private int count(int form, int cells) {
        return count(form, null, cells);
    }

    /** A count of entries whose keys and values are rows of those forms; {@code values} is null if there are none. */
    private int count(int keys, Integer values, int cells) {
        int at = in.pos;
        int n = length();
        items(n, at);
        need(RowForm.leastBytes(keys, n) + (values == null ? 0 : RowForm.leastBytes(values, n)));
        charge(Cells.CONTAINER + (long) n * cells, at);
        return n;
    }

    /** Charges for a struct or tuple that is not part of the row around it. */
    private void chargeApart(SchemaType type) {
        if (rules.cells().isInline(type)) {
            charge(rules.cells().row(type), in.pos);
        }
    }

    private Object present(SchemaType item, SchemaType reader) {
        chargeApart(item);
        return slot(item, reader);
    }

    /**
     * Reads a row of slots of different types. Only slots that take bytes are asked for a step of the path: eight
     * absent options take one byte, and may be all that a large message has.
     */
    private void row(List<SchemaType> writers, IntFunction<SchemaType> readers, IntFunction<String> steps) {
        int flagged = 0;
        for (SchemaType writer : writers) {
            flagged += writer.flagged() ? 1 : 0;
        }
        int flags = flags(flagged);
        int next = 0;
        for (int i = 0; i < writers.size(); i++) {
            SchemaType writer = writers.get(i);
            boolean set = !writer.flagged() || in.flag(flags, next++);
            if (writer instanceof SchemaType.Option option) {
                if (set) {
                    step(steps.apply(i));
                    present(option.item, inOption(readers.apply(i)));
                    back();
                }
            } else if (!writer.flagged()) {
                step(steps.apply(i));
                slot(writer, readers.apply(i));
                back();
            }
        }
    }

    private static SchemaType inOption(SchemaType reader) {
        return reader instanceof SchemaType.Option option ? option.item : reader;
    }

    /**
     * Reads a row of {@code n} slots of one type. Returns their values in comparable form if they are keys.
     */
    private List<Object> sameRow(SchemaType writer, SchemaType reader, int n, String after, boolean keys) {
        Kind kind = writer.numeric();
        List<Object> found = new ArrayList<>();
        if (kind != null) {
            numbers(kind, reader, n, keys ? found : null);
            return found;
        }
        int flags = writer.flagged() ? flags(n) : 0;
        for (int i = 0; i < n; i++) {
            if (writer.is(Kind.BOOL)) {
                if (keys) {
                    found.add(in.flag(flags, i));
                }
                continue;
            }
            step(i, after);
            if (writer instanceof SchemaType.Option option) {
                if (in.flag(flags, i)) {
                    present(option.item, inOption(reader));
                }
            } else {
                Object value = slot(writer, reader);
                if (keys) {
                    found.add(value);
                }
            }
            back();
        }
        return found;
    }

    @Override
    Object slot(SchemaType writer, SchemaType reader) {
        if (reader instanceof SchemaType.Option option) {
            return slot(writer, option.item);
        }
        int at = in.pos;
        if (writer instanceof SchemaType.Scalar scalar) {
            if (scalar.kind != Kind.ANY) {
                return scalar(scalar.kind, reader);
            }
            any();
        } else if (writer instanceof SchemaType.EnumOf t) {
            int index = index(t.symbols.size(), "symbol of " + t.name);
            if (reader instanceof SchemaType.EnumOf r && r.known(t.symbols.get(index)) == null) {
                throw fail(Code.SCHEMA_MISMATCH, at, "the reader's " + t.name + " lacks the symbol "
                    + t.symbols.get(index));
            }
            return index;
        } else if (writer instanceof SchemaType.ListOf t) {
            if (isColumnar(t.item)) {
                columns(t, reader);
            } else {
                int n = count(RowForm.of(t.item), rules.cells().element(t));
                sameRow(t.item, reader instanceof SchemaType.ListOf r ? r.item : null, n, "", false);
            }
        } else if (writer instanceof SchemaType.SetOf t) {
            int n = count(RowForm.of(t.item), rules.cells().element(t));
            distinct(sameRow(t.item, reader instanceof SchemaType.SetOf r ? r.item.asKey() : null, n, "", true), at);
        } else if (writer instanceof SchemaType.MapOf t && isColumnar(t.value)) {
            columns(t, reader);
        } else if (writer instanceof SchemaType.MapOf t) {
            SchemaType.MapOf r = reader instanceof SchemaType.MapOf map ? map : null;
            int n = count(RowForm.of(t.key), RowForm.of(t.value), rules.cells().element(t));
            distinct(sameRow(t.key, r == null ? null : r.key.asKey(), n, ".key", true), at);
            sameRow(t.value, r == null ? null : r.value, n, ".value", false);
        } else if (writer instanceof SchemaType.TupleOf t) {
            tuple(t, reader);
        } else if (writer instanceof SchemaType.Struct t) {
            struct(t, reader);
        } else if (writer instanceof SchemaType.Union t) {
            union(t, reader, at);
        } else if (writer instanceof SchemaType.Ref t) {
            ref((SchemaType.Struct) t.item, reader instanceof SchemaType.Ref r ? r.item : null);
        }
        return null;
    }

    private void tuple(SchemaType.TupleOf t, SchemaType reader) {
        row(t.items, i -> reader instanceof SchemaType.TupleOf r ? r.items.get(i) : null, Path::element);
    }

    private void struct(SchemaType.Struct t, SchemaType reader) {
        struct(t, reader, 0);
    }

    /** Reads a struct; what is made in its stead takes {@code standIn} cells. */
    private void struct(SchemaType.Struct t, SchemaType reader, int standIn) {
        boolean recursive = rules.facts().recursive(t);
        if (recursive) {
            deeper(in.pos);
            charge((long) rules.cells().row(t) + standIn, in.pos);
        }
        row(t.parts(), i -> wanted(t.fields.get(i), reader), i -> Path.field(t.fields.get(i).name()));
        in.depth += recursive ? 1 : 0;
    }

    private static SchemaType wanted(SchemaType.Field field, SchemaType reader) {
        SchemaType.Field wanted = reader instanceof SchemaType.Struct r ? r.field(field.name()) : null;
        return wanted == null ? null : wanted.type();
    }

    private void union(SchemaType.Union t, SchemaType reader, int at) {
        SchemaType.Struct member = t.members.get(index(t.members.size(), "member of the union"));
        SchemaType wanted = null;
        int standIn = 0;
        if (reader instanceof SchemaType.Union r) {
            if (r.index(member.name) >= 0) {
                wanted = r.members.get(r.index(member.name));
            } else if (r.fallback != null) {
                standIn = Cells.standIn(r.standIn(), member.name);
            } else {
                throw fail(Code.SCHEMA_MISMATCH, at, "the reader's union lacks the member " + member.name);
            }
        }
        if (rules.cells().isInline(member)) {
            charge((long) rules.cells().row(member) + standIn, in.pos);
        }
        struct(member, wanted, standIn);
    }

    private void ref(SchemaType.Struct t, SchemaType reader) {
        int at = in.pos;
        int number = (int) varint(32);
        if (number == 0) {
            Object place = SharedStructs.place(in);
            chargeApart(t);
            struct(t, reader);
            SharedStructs.end(in, 0, t.name, reader == null ? place : READ);
        } else if (!SharedStructs.has(in, number, t.name)) {
            throw fail(Code.MALFORMED, at,
                "there is no " + t.name + " of the number " + (Integer.toUnsignedLong(number) - 1));
        } else if (reader != null && SharedStructs.find(in, number, t.name) == null) {
            struct(t, reader);
            SharedStructs.end(in, number, t.name, READ);
        }
    }

    /** An {@code any}. */
    private void any() {
        int at = in.pos;
        int tag = (byte) unsignedByte();
        if (tag <= AnyTags.TRUE) {
            // A small integer, null or a boolean is its tag.
            return;
        }
        switch (tag) {
            case AnyTags.LIST -> {
                deeper(at);
                anyRow(count(RowForm.PLAIN, Cells.ANY), "");
                in.depth++;
            }
            case AnyTags.MAP -> {
                deeper(at);
                anyMap();
                in.depth++;
            }
            default -> {
                Kind kind = anyKind(tag);
                if (kind == null) {
                    throw tag >= AnyTags.FIRST_EXTENSION && tag <= AnyTags.LAST_EXTENSION
                        ? fail(Code.UNSUPPORTED, at, "tag " + tag + " of an any belongs to another part of Samewire")
                        : fail(Code.MALFORMED, at, "tag " + tag + " of an any does not exist");
                }
                if (tag >= AnyTags.FIRST_LIST) {
                    numbers(kind, count(RowForm.of(new SchemaType.Scalar(kind)), 1), null);
                } else {
                    if (kind == Kind.BYTES) {
                        charge(Cells.BYTES - Cells.ANY, at);
                    } else if (kind == Kind.DECIMAL) {
                        charge(Cells.DECIMAL - Cells.ANY, at);
                    }
                    scalar(kind);
                }
            }
        }
    }

    private void anyMap() {
        int at = in.pos;
        int n = count(RowForm.PLAIN, RowForm.PLAIN, Cells.ANY_ENTRY);
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            step(i, ".key");
            keys.add(anyKey(keys.isEmpty() ? null : keys.get(0)));
            back();
        }
        distinct(keys, at);
        anyRow(n, ".value");
    }

    /**
     * The key of a map inside an {@code any}, to compare: a text or an integer of 64 bits, as the first one (or null)
     * is.
     */
    private Object anyKey(Object first) {
        int at = in.pos;
        int tag = (byte) unsignedByte();
        boolean text = tag == AnyTags.STRING;
        if (!text && tag != AnyTags.INT && tag >= 0) {
            throw fail(Code.MALFORMED, at, "the keys of a map in an any are strings and integers of 64 bits");
        }
        if (first != null && text != first instanceof String) {
            throw fail(Code.MALFORMED, at, "the keys of a map in an any are all strings or all integers");
        }
        return tag < 0 ? (Object) (long) (tag & 0x7f) : scalar(anyKind(tag));
    }

    private void anyRow(int n, String after) {
        for (int i = 0; i < n; i++) {
            step(i, after);
            any();
            back();
        }
    }

    private static Kind anyKind(int tag) {
        return switch (tag) {
            case AnyTags.INT, 0x13 -> Kind.I64;
            case AnyTags.BIGINT -> Kind.BIGINT;
            case AnyTags.F64, 0x18 -> Kind.F64;
            case AnyTags.STRING -> Kind.STRING;
            case AnyTags.BYTES -> Kind.BYTES;
            case AnyTags.DECIMAL -> Kind.DECIMAL;
            case AnyTags.UUID -> Kind.UUID;
            case AnyTags.DATE -> Kind.DATE;
            case AnyTags.TIME -> Kind.TIME;
            case AnyTags.TIMESTAMP -> Kind.TIMESTAMP;
            case AnyTags.DURATION -> Kind.DURATION;
            case 0x10 -> Kind.I8;
            case 0x11 -> Kind.I16;
            case 0x12 -> Kind.I32;
            case 0x14 -> Kind.U16;
            case 0x15 -> Kind.U32;
            case 0x16 -> Kind.U64;
            case 0x17 -> Kind.F32;
            default -> null;
        };
    }
}
