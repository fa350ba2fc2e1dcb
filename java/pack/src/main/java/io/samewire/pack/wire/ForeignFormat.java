package io.samewire.pack.wire;

import java.nio.charset.StandardCharsets;

/** The other format that bytes seem to be in, for the text of an error: they are often handed over by mistake. */
public final class ForeignFormat {
    private static final byte[] RECORDS = "\u0089SWR".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};
    private static final byte[] SERIALIZED = {(byte) 0xac, (byte) 0xed, 0, 5};
    /** A shorter array or map of MessagePack cannot be distinguished from a few random bytes. */
    private static final int LEAST_MESSAGE_PACK = 4;

    private ForeignFormat() {}

    /** The text with what the bytes look like; the text alone if they look like nothing else. */
    public static String told(String text, byte[] bytes, int from, int to) {
        String format = of(bytes, from, to);
        return format == null ? text : text + "; the bytes look like " + format;
    }

    private static String of(byte[] bytes, int from, int to) {
        if (begins(bytes, from, to, GZIP)) {
            return "gzip: decompress them first";
        } else if (begins(bytes, from, to, ZSTD)) {
            return "zstd: decompress them first";
        } else if (begins(bytes, from, to, SERIALIZED)) {
            return "a serialized object of Java (ObjectOutputStream)";
        } else if (begins(bytes, from, to, RECORDS)) {
            return "a record file: read it with a RecordReader";
        } else if (to - from > 1 && bytes[from] == (byte) 0xff && bytes[from + 1] >= 13 && bytes[from + 1] <= 15) {
            return "a serialized value of Node (v8.serialize)";
        } else if (to - from > 1 && bytes[from] == (byte) 0x80 && bytes[from + 1] >= 0 && bytes[from + 1] <= 5
            && bytes[to - 1] == '.') {
            return "a pickle of Python";
        } else if (isMessagePack(bytes, from, to)) {
            return "MessagePack";
        }
        int first = from;
        int last = to - 1;
        while (first < last && isSpace(bytes[first])) {
            first++;
        }
        while (first < last && isSpace(bytes[last])) {
            last--;
        }
        if (first >= last) {
            return null;
        }
        boolean json = bytes[first] == '{' && bytes[last] == '}' || bytes[first] == '[' && bytes[last] == ']';
        if (json && isText(bytes, first, last)) {
            return "JSON";
        }
        return bytes[first] == '<' && bytes[last] == '>' ? "XML or HTML" : null;
    }

    /** Whether the bytes are one array or map of MessagePack, to the last one. */
    private static boolean isMessagePack(byte[] bytes, int from, int to) {
        int first = to - from < LEAST_MESSAGE_PACK ? 0 : bytes[from] & 0xff;
        if (!(first >= 0x80 && first < 0xa0 || first >= 0xdc && first < 0xe0)) {
            return false;
        }
        long at = from;
        // Every value takes a byte at least.
        long values = 1;
        while (values > 0 && values <= to - at) {
            int tag = bytes[(int) at] & 0xff;
            int number = sizeOfNumber(tag);
            if (tag == 0xc1 || number > to - at - 1) {
                return false;
            }
            long given = number(bytes, (int) at + 1, number);
            values += valuesWithin(tag, given) - 1;
            at += 1 + number + bytesWithin(tag, given);
        }
        return values == 0 && at == to;
    }

    /** The bytes of the length or count behind a tag. */
    private static int sizeOfNumber(int tag) {
        return switch (tag) {
            case 0xc4, 0xc7, 0xd9 -> 1;
            case 0xc5, 0xc8, 0xda, 0xdc, 0xde -> 2;
            case 0xc6, 0xc9, 0xdb, 0xdd, 0xdf -> 4;
            default -> 0;
        };
    }

    private static long number(byte[] bytes, int at, int size) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            value = value << 8 | bytes[at + i] & 0xff;
        }
        return value;
    }

    private static long valuesWithin(int tag, long given) {
        if (tag >= 0x80 && tag < 0xa0) {
            return tag < 0x90 ? 2 * (tag & 15) : tag & 15;
        } else if (tag >= 0xdc && tag < 0xe0) {
            return tag < 0xde ? given : 2 * given;
        }
        return 0;
    }

    /** The bytes of a value behind its tag and its length. */
    private static long bytesWithin(int tag, long given) {
        return switch (tag) {
            case 0xc4, 0xc5, 0xc6, 0xd9, 0xda, 0xdb -> given;
            case 0xc7, 0xc8, 0xc9 -> given + 1;
            case 0xca -> 4;
            case 0xcb -> 8;
            case 0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3 -> 1 << (tag & 3);
            case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> 1 + (1 << (tag - 0xd4));
            default -> tag >= 0xa0 && tag < 0xc0 ? tag & 31 : 0;
        };
    }

    private static boolean begins(byte[] bytes, int from, int to, byte[] magic) {
        if (to - from < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if (bytes[from + i] != magic[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Whether no control character is among them, as in bytes that only begin and end like JSON. */
    private static boolean isText(byte[] bytes, int first, int last) {
        for (int i = first; i <= last; i++) {
            if ((bytes[i] & 0xff) < ' ' && !isSpace(bytes[i])) {
                return false;
            }
        }
        return true;
    }
}
