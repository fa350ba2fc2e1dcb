package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;
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
public final class ReplyReader extends TextCursor {
    private final Utf8 utf8;
    private final Utf8Decoder decoder = new Utf8Decoder();

    /** Creates a reader with the default limits, to which malformed UTF-8 is an error. */
    public ReplyReader() {
        this(Limits.DEFAULT, Utf8.STRICT);
    }

    /** Creates a reader, of whose limits it uses {@code depth}, {@code items}, {@code cells} and {@code frameBytes}. */
    public ReplyReader(Limits limits, Utf8 utf8) {
        super(limits);
        this.utf8 = utf8;
    }

    /** Goes to the start of a reply at {@code bytes[start]}; bytes before {@code end} may be read. Returns this. */
    public ReplyReader reset(byte[] bytes, int start, int end) {
        start(bytes, start, end);
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
    @Override
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
        if (left > 0 && to - at > 1 && buffer[at] == '$' && buffer[at + 1] != '-') {
            return false;
        }
        look();
        return head.type == '_';
    }

    /**
     * Reads an integer: {@code :}, a boolean as 1 or 0, or a text or big number that is one.
     *
     * @throws SamewireException {@code type_mismatch} if the element is something else, null included
     */
    public long readLong() {
        int end = shortInteger();
        if (end >= 0) {
            pass(end);
            return number;
        }
        int length = plainText();
        if (length >= 0) {
            return integer(buffer, length);
        }
        look();
        if (head.type == ':' || head.type == '#') {
            pass(head.after);
            return head.number;
        }
        length = text("an integer");
        return integer(source(), length);
    }

    private long integer(byte[] source, int length) {
        long value = Decimals.integer(source, textStart, textStart + length);
        if (value == Decimals.NONE && !Decimals.isSmallest(source, textStart, textStart + length)) {
            throw mismatch("an integer of 64 bits", at);
        }
        pass(textEnd);
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
        int length = text("a double");
        byte[] source = source();
        if (!Decimals.isDouble(source, textStart, textStart + length)) {
            throw mismatch("a double", at);
        }
        double value = Decimals.real(source, textStart, textStart + length);
        pass(textEnd);
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
        int length = text("an integer");
        byte[] source = source();
        if (Decimals.bigDigits(source, textStart, textStart + length) < 0) {
            throw mismatch("an integer", at);
        }
        String digits = new String(source, textStart, length, StandardCharsets.ISO_8859_1);
        pass(textEnd);
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
        int length = plainText();
        return length < 0 ? otherText(policy) : decoded(policy, buffer, length);
    }

    /** Reads what {@link #plainText} does not find. */
    private String otherText(Utf8 policy) {
        String status = status();
        if (status != null) {
            return status;
        }
        look();
        if (head.type == '_') {
            pass(head.after);
            return null;
        }
        int length = text("a text");
        return decoded(policy, source(), length);
    }

    private String decoded(Utf8 policy, byte[] source, int length) {
        String value = policy == Utf8.STRICT ? decoder.strict(source, textStart, length)
            : decoder.lenient(source, textStart, length);
        if (value == null) {
            throw new SamewireException(Code.BAD_UTF8, at - from, path(),
                "the text is not valid UTF-8: read its bytes, or read leniently");
        }
        pass(textEnd);
        return value;
    }

    /**
     * Reads the bytes of a text; a number or boolean as for {@link #readString}.
     *
     * @return null for a null
     * @throws SamewireException {@code type_mismatch} for an aggregate
     */
    public byte[] readBytes() {
        int length = plainText();
        byte[] source = buffer;
        if (length < 0) {
            look();
            if (head.type == '_') {
                pass(head.after);
                return null;
            }
            length = text("a text");
            source = source();
        }
        byte[] value = Arrays.copyOfRange(source, textStart, textStart + length);
        pass(textEnd);
        return value;
    }

    /** Reads the bytes of a text without a copy of them, unless they came in chunks: a read-only view of the array. */
    ByteBuffer readBuffer() {
        look();
        int length = text("a text");
        ByteBuffer view = ByteBuffer.wrap(source(), textStart, length).slice().asReadOnlyBuffer();
        pass(textEnd);
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
        boolean same = Arrays.equals(source(), textStart, textStart + length, expected, 0, expected.length);
        pass(textEnd);
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
        } else if (head.type != '%' && head.type != '*') {
            throw refuse("a map");
        } else if (head.type == '*' && head.form == Head.COUNTED && (head.number & 1) != 0) {
            throw odd(at, head.number);
        }
        int element = at;
        int elements = begin();
        if ((elements & 1) != 0) {
            throw odd(element, elements);
        }
        return elements / 2;
    }

    private SamewireException odd(int element, long elements) {
        return new SamewireException(Code.TYPE_MISMATCH, element - from, path(),
            "expected a map, keys and values in turn, and the reply has " + elements + " elements");
    }

    private int nothing() {
        pass(head.after);
        return -1;
    }

    /** Passes over the next element, of any kind, with all that it contains. */
    public void skip() {
        walk();
    }

    /** Reads the next element, of any kind, as a value of its own: its bytes are copied, and read when asked for. */
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

    /** Reads the text of an error, which is the next element. */
    byte[] readErrorBytes() {
        look();
        findError();
        byte[] text = Arrays.copyOfRange(buffer, textStart, textEnd - 2);
        pass(textEnd);
        return text;
    }
}
