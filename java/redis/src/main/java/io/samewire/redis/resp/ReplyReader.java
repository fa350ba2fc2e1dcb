package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A cursor over one reply in a byte array. Elements are read in the order of the bytes; an aggregate is begun, and then
 * its elements are the next ones. Attributes are passed over. Texts that are read are copied once.
 *
 * <p>The reply need not be known to be complete: if it is not, a method throws {@link IncompleteReplyException}, and
 * what was read of it has to be dropped. An error that the server replied is thrown as a {@link RedisException} where
 * it is read as a value; {@link #readError}, {@link #readReply} and {@link #skip} return or pass it. After any
 * exception the cursor stands where it was or inside the reply: {@link ReplyScanner} finds its end.
 *
 * <p>Offsets in errors count from the start of the reply. Not thread-safe; {@link #reset} makes it ready again without
 * an allocation.
 */
public final class ReplyReader {
    private static final int INITIAL_LEVELS = 8;
    private static final byte[] NOTHING = {};

    private final Budget budget;
    private final Utf8 utf8;
    private final Head head = new Head();

    private byte[] buffer = NOTHING;
    private int from;
    /** As much as may be read: no more than {@code frameBytes}. */
    private int to;
    private int at;
    /** Elements to come of the innermost aggregate; of the reply itself, 1 before it is read. */
    private int left;
    private int level;
    /** By open aggregate, from 1 on: what was left of the one around it, its elements, and its type. */
    private int[] outer = new int[INITIAL_LEVELS];
    private int[] counts = new int[INITIAL_LEVELS];
    private byte[] kinds = new byte[INITIAL_LEVELS];
    /** Whether {@code .} comes behind its elements. */
    private boolean[] closed = new boolean[INITIAL_LEVELS];

    /** Creates a reader with the default limits, to which malformed UTF-8 is an error. */
    public ReplyReader() {
        this(Limits.DEFAULT, Utf8.STRICT);
    }

    /** Creates a reader, of whose limits it uses {@code depth}, {@code items}, {@code cells} and {@code frameBytes}. */
    public ReplyReader(Limits limits, Utf8 utf8) {
        budget = new Budget(limits);
        this.utf8 = utf8;
    }

    /** Goes to the start of a reply at {@code bytes[start]}; bytes before {@code end} may be read. Returns this. */
    public ReplyReader reset(byte[] bytes, int start, int end) {
        buffer = bytes;
        from = start;
        at = start;
        to = end - start > budget.frameBytes ? start + budget.frameBytes : end;
        left = 1;
        level = 0;
        budget.reset();
        return this;
    }

    /** Returns where in the array the cursor stands; once the reply {@link #isDone}, its end. */
    public int position() {
        return at;
    }

    /** Returns whether the whole reply has been read. */
    public boolean isDone() {
        return left == 0;
    }

    /** Returns what the next element is, without reading it. */
    public ReplyType type() {
        look();
        return switch (head.type) {
            case '+' -> ReplyType.SIMPLE;
            case '-', '!' -> ReplyType.ERROR;
            case ':' -> ReplyType.INTEGER;
            case ',' -> ReplyType.DOUBLE;
            case '(' -> ReplyType.BIG_NUMBER;
            case '#' -> ReplyType.BOOLEAN;
            case '$' -> ReplyType.BULK;
            case '=' -> ReplyType.VERBATIM;
            case '*' -> ReplyType.ARRAY;
            case '~' -> ReplyType.SET;
            case '%' -> ReplyType.MAP;
            case '>' -> ReplyType.PUSH;
            default -> ReplyType.NULL;
        };
    }

    /** Returns whether the next element is a null, without reading it. */
    public boolean isNil() {
        look();
        return head.type == '_';
    }

    /**
     * Reads an integer: {@code :}, a boolean as 1 or 0, or a text or big number that is one.
     *
     * @throws SamewireException {@code type_mismatch} if the element is something else, null included
     */
    public long readLong() {
        look();
        if (head.type == ':' || head.type == '#') {
            pass(head.after);
            return head.number;
        }
        int element = at;
        int length = text("an integer");
        int start = textStart;
        long value = Decimals.integer(textBuffer, start, start + length);
        if (value == Decimals.NONE && !Decimals.isSmallest(textBuffer, start, start + length)) {
            throw mismatch("an integer of 64 bits", element);
        }
        finishText();
        return value;
    }

    /**
     * Reads a double: {@code ,} or an integer, or a text that is one.
     *
     * @throws SamewireException {@code type_mismatch} if the element is something else, null included
     */
    public double readDouble() {
        look();
        if (head.type == ',') {
            pass(head.after);
            return head.real;
        } else if (head.type == ':') {
            pass(head.after);
            return head.number;
        }
        int element = at;
        int length = text("a double");
        int start = textStart;
        if (!Decimals.isDouble(textBuffer, start, start + length)) {
            throw mismatch("a double", element);
        }
        double value = Decimals.real(textBuffer, start, start + length);
        finishText();
        return value;
    }

    /**
     * Reads a boolean: {@code #}, or the integers 1 and 0 of RESP2.
     *
     * @throws SamewireException {@code type_mismatch} if the element is something else, null included
     */
    public boolean readBoolean() {
        look();
        if (head.type != '#' && (head.type != ':' || (head.number & ~1L) != 0)) {
            throw refuse("a boolean");
        }
        pass(head.after);
        return head.number == 1;
    }

    /**
     * Reads an integer of any length: {@code (} or {@code :}, or a text that is one.
     *
     * @throws SamewireException {@code type_mismatch} if the element is something else, null included
     */
    public BigInteger readBigInteger() {
        look();
        if (head.type == ':') {
            pass(head.after);
            return BigInteger.valueOf(head.number);
        }
        int element = at;
        int length = text("an integer");
        if (Decimals.bigDigits(textBuffer, textStart, textStart + length) < 0) {
            throw mismatch("an integer", element);
        }
        String digits = new String(textBuffer, textStart, length, StandardCharsets.ISO_8859_1);
        finishText();
        return new BigInteger(digits);
    }

    /**
     * Reads a text as UTF-8. A number or boolean of RESP3 is read as the text that the wire has for it.
     *
     * @return null for a null
     * @throws SamewireException {@code bad_utf8} if it is not valid and the reader is {@link Utf8#STRICT}; {@code
     *     type_mismatch} for an aggregate
     */
    public String readString() {
        return string(utf8);
    }

    /** Reads a text as {@link #readString} does, with U+FFFD for each malformed part. */
    public String readLenientString() {
        return string(Utf8.LENIENT);
    }

    private String string(Utf8 policy) {
        look();
        if (head.type == '_') {
            pass(head.after);
            return null;
        }
        int element = at;
        int length = text("a text");
        String value = policy == Utf8.STRICT ? Utf8Decoder.strict(textBuffer, textStart, length)
            : Utf8Decoder.lenient(textBuffer, textStart, length);
        if (value == null) {
            throw new SamewireException(Code.BAD_UTF8, element - from, path(),
                "the text is not valid UTF-8: read its bytes, or read leniently");
        }
        finishText();
        return value;
    }

    /**
     * Reads the bytes of a text; a number or boolean as for {@link #readString}.
     *
     * @return null for a null
     * @throws SamewireException {@code type_mismatch} for an aggregate
     */
    public byte[] readBytes() {
        look();
        if (head.type == '_') {
            pass(head.after);
            return null;
        }
        int length = text("a text");
        byte[] value = Arrays.copyOfRange(textBuffer, textStart, textStart + length);
        finishText();
        return value;
    }

    /** Reads the bytes of a text without a copy of them, unless they came in chunks: a read-only view of the array. */
    ByteBuffer readBuffer() {
        look();
        int length = text("a text");
        ByteBuffer view = ByteBuffer.wrap(textBuffer, textStart, length).slice().asReadOnlyBuffer();
        finishText();
        return view;
    }

    /** Reads a text, null or number and returns whether it is the given text. Nothing is allocated. */
    public boolean readMatches(byte[] expected) {
        look();
        if (head.type == '_') {
            pass(head.after);
            return false;
        }
        int length = text("a text");
        boolean same = Arrays.equals(textBuffer, textStart, textStart + length, expected, 0, expected.length);
        finishText();
        return same;
    }

    /**
     * Reads an error of the server as a value.
     *
     * @throws SamewireException {@code type_mismatch} if the element is none: {@link #type} tells
     */
    public RedisException readError() {
        look();
        if (head.type != '-' && head.type != '!') {
            throw refuse("an error");
        }
        return takeError();
    }

    /**
     * Begins an array, a set or a push, or a map as keys and values in turn: its elements are the next ones. An
     * aggregate that is sent without a count is looked through once to count it.
     *
     * @return the number of elements, of which so many times three bytes at least are there; -1 for a null
     * @throws SamewireException {@code type_mismatch} if the element is something else
     */
    public int beginArray() {
        look();
        return switch (head.type) {
            case '*', '~', '>', '%' -> begin();
            case '_' -> nothing();
            default -> throw refuse("an array");
        };
    }

    /**
     * Begins a map, or an array of keys and values in turn as RESP2 has it.
     *
     * @return the number of entries, each of which is a key and a value; -1 for a null
     * @throws SamewireException {@code type_mismatch} if the element is something else, or an odd number of elements
     */
    public int beginMap() {
        look();
        if (head.type == '_') {
            return nothing();
        } else if (head.type != '%' && (head.type != '*' || (head.number & 1) != 0 && head.form == Head.Form.COUNTED)) {
            throw refuse("a map");
        }
        int element = at;
        int elements = begin();
        if ((elements & 1) != 0) {
            throw new SamewireException(Code.TYPE_MISMATCH, element - from, path(),
                "expected keys and values in turn, and the reply has " + elements + " elements");
        }
        return elements / 2;
    }

    private int nothing() {
        pass(head.after);
        return -1;
    }

    /** Passes over the next element, whatever it is, with all that it contains. */
    public void skip() {
        look();
        int base = level;
        step();
        while (level > base) {
            step();
        }
    }

    /** Reads the next element, whatever it is, as a value of its own: its bytes are copied, and read when asked for. */
    public Reply readReply() {
        look();
        int start = at;
        skip();
        return LazyReply.of(Arrays.copyOfRange(buffer, start, at), utf8);
    }

    /** Returns the attributes before the next element, in their order; that element is still the next one. */
    public List<Reply.Map> readAttributes() {
        List<Reply.Map> attributes = new ArrayList<>();
        for (int start = at; peek() == '|'; start = at) {
            passAttribute();
            byte[] bytes = Arrays.copyOfRange(buffer, start, at);
            // As a map, which is what it holds.
            bytes[0] = '%';
            attributes.add((Reply.Map) LazyReply.of(bytes, utf8));
        }
        return attributes;
    }

    // --- texts

    /** Where the text that {@link #text} found stands, and where the cursor goes behind it. */
    private byte[] textBuffer = NOTHING;
    private int textStart;
    private int textEnd;

    /** Finds the text of the element whose head was looked at, and returns its length. */
    private int text(String wanted) {
        textBuffer = buffer;
        switch (head.type) {
            case '-', '!' -> throw takeError();
            case '+', ':', ',', '(', '#' -> {
                textStart = at + 1;
                textEnd = head.after;
                return head.end - textStart;
            }
            case '$' -> {
                return head.form == Head.Form.STREAM ? chunks() : body(0);
            }
            case '=' -> {
                return body(4);
            }
            default -> throw refuse(wanted);
        }
    }

    private void finishText() {
        pass(textEnd);
    }

    /** Finds a text behind its length, of whose bytes the first {@code format} are not part of it. */
    private int body(int format) {
        long end = head.after + head.number;
        if (end + 2 > to) {
            throw lacking(end + 2);
        }
        int stop = (int) end;
        if (buffer[stop] != '\r' || buffer[stop + 1] != '\n'
            || format > 0 && (head.number < format || buffer[head.after + format - 1] != ':')) {
            throw wire(Code.MALFORMED);
        }
        textStart = head.after + format;
        textEnd = stop + 2;
        return stop - textStart;
    }

    /** Finds the chunks of a streamed text and puts them together. */
    private int chunks() {
        int first = at;
        long total = 0;
        for (at = head.after; chunk(); at = textEnd) {
            total += textEnd - 2 - textStart;
        }
        int end = textEnd;
        byte[] whole = new byte[(int) total];
        int filled = 0;
        at = first;
        head.read(buffer, at, to);
        for (at = head.after; chunk(); at = textEnd) {
            int length = textEnd - 2 - textStart;
            System.arraycopy(buffer, textStart, whole, filled, length);
            filled += length;
        }
        at = first;
        textBuffer = whole;
        textStart = 0;
        textEnd = end;
        return filled;
    }

    /** Finds the chunk at the cursor, and returns whether it is not the last one, which is empty. */
    private boolean chunk() {
        head.searched = 0;
        seen(head.chunk(buffer, at, to));
        if (head.number == 0) {
            textEnd = head.after;
            return false;
        }
        body(0);
        return true;
    }

    /** Reads the text of an error, which is the next element. */
    byte[] readErrorBytes() {
        look();
        findError();
        byte[] text = Arrays.copyOfRange(buffer, textStart, textEnd - 2);
        pass(textEnd);
        return text;
    }

    private RedisException takeError() {
        findError();
        RedisException error = RedisException.of(buffer, textStart, textEnd - 2 - textStart);
        pass(textEnd);
        return error;
    }

    private void findError() {
        if (head.type == '-') {
            textStart = at + 1;
            textEnd = head.after;
        } else {
            body(0);
        }
    }

    // --- the cursor

    /** Looks at the head of the next element, behind its attributes. */
    private void look() {
        while (peek() == '|') {
            passAttribute();
        }
    }

    /** Looks at the next head, which may be an attribute's, and returns its type byte. */
    private byte peek() {
        if (left == 0) {
            throw new SamewireException(Code.MISUSE, -1, null, "the reply has no more elements");
        }
        head.searched = 0;
        seen(head.read(buffer, at, to));
        return head.type;
    }

    private void passAttribute() {
        int base = level;
        step();
        while (level > base) {
            step();
        }
    }

    private void seen(Head.Look look) {
        if (look == Head.Look.MORE) {
            throw lacking((long) to + 1);
        } else if (look == Head.Look.WRONG) {
            throw wire(head.fault);
        }
    }

    /** Goes behind an element that ends at {@code next}. */
    private void pass(int next) {
        at = next;
        if (--left == 0 && level > 0) {
            leave();
        }
    }

    /** Leaves the aggregates whose elements are over. */
    private void leave() {
        while (left == 0 && level > 0) {
            if (closed[level]) {
                if (counts[level] < 0) {
                    // Not counted: another entry may come.
                    return;
                }
                head.searched = 0;
                seen(head.close(buffer, at, to));
                at = head.after;
            }
            left = outer[level--];
        }
    }

    /** Enters the aggregate whose head was looked at, of so many elements. */
    private void enter(byte type, int elements, boolean streamed, int after) {
        // An attribute is no element of what is around it.
        int rest = type == '|' ? left : left - 1;
        at = after;
        if (++level == outer.length) {
            outer = Arrays.copyOf(outer, level * 2);
            counts = Arrays.copyOf(counts, level * 2);
            kinds = Arrays.copyOf(kinds, level * 2);
            closed = Arrays.copyOf(closed, level * 2);
        }
        outer[level] = rest;
        counts[level] = elements;
        kinds[level] = type;
        closed[level] = streamed;
        left = Math.max(elements, 0);
    }

    private void check(Code exceeded) {
        if (exceeded != null) {
            throw wire(exceeded);
        }
    }

    /** Judges the aggregate whose head was looked at and returns its elements. */
    private int judge(long entries) {
        boolean pairs = ReplyScanner.pairs(head.type);
        if (head.type == '>' && level > 0) {
            throw wire(Code.MALFORMED);
        }
        check(budget.enter(level + 1, pairs, entries));
        long elements = pairs ? entries * 2 : entries;
        check(budget.reach(elements * Budget.LEAST_ELEMENT + head.after - from));
        // Nothing is to be made for elements that cannot be there, those of all open aggregates together.
        long owed = elements + left - 1;
        for (int i = level; i > 0; i--) {
            owed += outer[i];
        }
        if (owed * Budget.LEAST_ELEMENT > to - head.after) {
            throw IncompleteReplyException.INSTANCE;
        }
        return (int) elements;
    }

    /** Begins the aggregate whose head was looked at and returns its elements. */
    private int begin() {
        boolean streamed = head.form == Head.Form.OPEN;
        byte type = head.type;
        int after = head.after;
        long entries = streamed ? count() : head.number;
        head.type = type;
        head.after = after;
        int elements = judge(entries);
        enter(type, elements, streamed, after);
        if (elements == 0) {
            leave();
        }
        return elements;
    }

    /** Counts the entries of an aggregate without a count, and leaves the cursor where it was. */
    private int count() {
        int start = at;
        int before = left;
        int base = level;
        long items = budget.items();
        long cells = budget.cells();
        int entries = 0;
        step();
        while (level > base) {
            if (level == base + 1 && left == 0 && !atEnd()) {
                entries++;
            }
            step();
        }
        at = start;
        left = before;
        level = base;
        budget.restore(items, cells);
        return entries;
    }

    /** Whether the aggregate without a count that the cursor is in ends here. */
    private boolean atEnd() {
        if (at >= to) {
            throw lacking((long) to + 1);
        }
        return buffer[at] == '.';
    }

    /** Passes over one head, and the text or line behind it. */
    private void step() {
        if (left == 0 && level > 0) {
            boolean pairs = ReplyScanner.pairs(kinds[level]);
            if (atEnd()) {
                head.searched = 0;
                seen(head.close(buffer, at, to));
                at = head.after;
                left = outer[level--];
                leave();
                return;
            }
            check(budget.entry(pairs));
            left = pairs ? 2 : 1;
        }
        head.searched = 0;
        seen(head.read(buffer, at, to));
        switch (head.form) {
            case LINE -> pass(head.after);
            case TEXT -> {
                body(head.type == '=' ? 4 : 0);
                pass(textEnd);
            }
            case STREAM -> {
                int first = at;
                for (at = head.after; chunk(); at = textEnd) {
                    continue;
                }
                at = first;
                pass(textEnd);
            }
            case COUNTED -> {
                int elements = judge(head.number);
                enter(head.type, elements, false, head.after);
                if (elements == 0) {
                    leave();
                }
            }
            case OPEN -> {
                judge(0);
                enter(head.type, -1, true, head.after);
            }
        }
    }

    // --- errors

    private RuntimeException refuse(String wanted) {
        if (head.type == '-' || head.type == '!') {
            return takeError();
        }
        return mismatch(wanted, at);
    }

    private SamewireException mismatch(String wanted, int element) {
        return new SamewireException(Code.TYPE_MISMATCH, element - from, path(),
            "expected " + wanted + ", and the reply has " + type().name().toLowerCase(java.util.Locale.ROOT));
    }

    private SamewireException wire(Code code) {
        return WireErrors.error(code, at - from, path());
    }

    /** For an element that cannot end before {@code end}, which is beyond what there is. */
    private RuntimeException lacking(long end) {
        Code exceeded = budget.reach(end - from);
        return exceeded == null ? IncompleteReplyException.INSTANCE : wire(exceeded);
    }

    /** Returns the path of the next element. */
    private String path() {
        StringBuilder path = new StringBuilder(Path.ROOT);
        for (int i = 1; i <= level; i++) {
            int rest = i == level ? left : outer[i + 1] + (kinds[i + 1] == '|' ? 0 : 1);
            int index = Math.max(counts[i], 0) - rest;
            boolean pairs = kinds[i] == '%';
            path.append(!pairs ? Path.element(index) : (index & 1) == 0 ? Path.key(index / 2) : Path.value(index / 2));
        }
        return path.toString();
    }
}
