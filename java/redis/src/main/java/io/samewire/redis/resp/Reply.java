package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One reply, or an element of one, of a type that is not known before. It holds the bytes as they came: texts and
 * elements are made when they are asked for. Immutable and thread-safe.
 */
public sealed interface Reply {
    /** Returns what the element is. */
    ReplyType type();

    /**
     * Reads a reply that is complete, and nothing but it. The bytes are not copied and must not change.
     *
     * @throws SamewireException {@code truncated} at the number of bytes if it is not complete, {@code trailing} at the
     *     first byte behind it, and what is wrong with it ({@code spec/redis.md} section 3)
     */
    static Reply read(byte[] reply, Limits limits, Utf8 utf8) {
        int length = new ReplyScanner(limits).scan(reply, 0, reply.length);
        if (length <= 0) {
            throw WireErrors.error(Code.TRUNCATED, reply.length, null);
        } else if (length < reply.length) {
            throw WireErrors.error(Code.TRAILING, length, null);
        }
        return LazyReply.of(reply, utf8);
    }

    /** {@code _}, {@code $-1} or {@code *-1}. */
    record Null() implements Reply {
        static final Null INSTANCE = new Null();

        @Override
        public ReplyType type() {
            return ReplyType.NULL;
        }

        @Override
        public String toString() {
            return "null";
        }
    }

    /** {@code :} */
    record Integer(long value) implements Reply {
        @Override
        public ReplyType type() {
            return ReplyType.INTEGER;
        }

        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /** {@code ,} */
    record Double(double value) implements Reply {
        @Override
        public ReplyType type() {
            return ReplyType.DOUBLE;
        }

        @Override
        public String toString() {
            return Decimals.text(value);
        }
    }

    /** {@code #} */
    record Boolean(boolean value) implements Reply {
        @Override
        public ReplyType type() {
            return ReplyType.BOOLEAN;
        }

        @Override
        public String toString() {
            return value ? "true" : "false";
        }
    }

    /** <code>(</code>: an optional sign and digits, as they came. */
    record BigNumber(String digits) implements Reply {
        @Override
        public ReplyType type() {
            return ReplyType.BIG_NUMBER;
        }

        /** Returns the number. */
        public BigInteger value() {
            return new BigInteger(digits);
        }

        @Override
        public String toString() {
            return digits;
        }
    }

    /** {@code -} or {@code !}: an error of the server, which is a value here. */
    final class Error implements Reply {
        private final byte[] reply;
        private final int at;

        Error(byte[] reply, int at) {
            this.reply = reply;
            this.at = at;
        }

        @Override
        public ReplyType type() {
            return ReplyType.ERROR;
        }

        /** Returns the error as the exception that it is thrown as where a value is read. */
        public RedisException exception() {
            return new ReplyReader(LazyReply.READ, Utf8.LENIENT).reset(reply, at, reply.length).readError();
        }

        /** Returns a copy of the bytes of its text. */
        public byte[] bytes() {
            return new ReplyReader(LazyReply.READ, Utf8.LENIENT).reset(reply, at, reply.length).readErrorBytes();
        }

        @Override
        public String toString() {
            return "-" + exception().text();
        }
    }

    /** {@code +}, {@code $} or {@code =}. */
    final class Text implements Reply {
        private final ReplyType type;
        private final byte[] reply;
        private final int at;
        private final Utf8 utf8;

        Text(ReplyType type, byte[] reply, int at, Utf8 utf8) {
            this.type = type;
            this.reply = reply;
            this.at = at;
            this.utf8 = utf8;
        }

        private ReplyReader reader() {
            return new ReplyReader(LazyReply.READ, utf8).reset(reply, at, reply.length);
        }

        @Override
        public ReplyType type() {
            return type;
        }

        /**
         * Returns the text.
         *
         * @throws SamewireException {@code bad_utf8} if it is malformed and its reader was {@link Utf8#STRICT}
         */
        public String string() {
            return reader().readString();
        }

        /** Returns a copy of the bytes. */
        public byte[] bytes() {
            return reader().readBytes();
        }

        /** Returns the bytes without a copy, unless they came in chunks; read-only. */
        public ByteBuffer buffer() {
            return reader().readBuffer();
        }

        /** Returns the three characters of a verbatim text's format, else an empty string. */
        public String format() {
            if (type != ReplyType.VERBATIM) {
                return "";
            }
            int body = at;
            while (reply[body] != '\n') {
                body++;
            }
            return new String(reply, body + 1, 3, StandardCharsets.ISO_8859_1);
        }

        @Override
        public String toString() {
            return new ReplyReader(LazyReply.READ, Utf8.LENIENT).reset(reply, at, reply.length).readString();
        }
    }

    /** {@code *}, {@code ~} or {@code >}. */
    final class Array implements Reply {
        private final ReplyType type;
        private final List<Reply> elements;

        Array(ReplyType type, List<Reply> elements) {
            this.type = type;
            this.elements = elements;
        }

        @Override
        public ReplyType type() {
            return type;
        }

        /** Returns the elements in the order of the bytes, also those of a set. */
        public List<Reply> elements() {
            return elements;
        }

        @Override
        public String toString() {
            return elements.toString();
        }
    }

    /** {@code %}: keys may occur twice. */
    final class Map implements Reply {
        private final List<Reply> elements;

        Map(List<Reply> elements) {
            this.elements = elements;
        }

        @Override
        public ReplyType type() {
            return ReplyType.MAP;
        }

        /** Returns the number of entries. */
        public int size() {
            return elements.size() / 2;
        }

        /** Returns the key of an entry, from 0 on. */
        public Reply key(int entry) {
            return elements.get(2 * entry);
        }

        /** Returns the value of an entry, from 0 on. */
        public Reply value(int entry) {
            return elements.get(2 * entry + 1);
        }

        /** Returns keys and values in turn. */
        public List<Reply> elements() {
            return elements;
        }

        @Override
        public String toString() {
            return elements.toString();
        }
    }
}
