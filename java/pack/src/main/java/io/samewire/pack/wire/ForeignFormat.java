package io.samewire.pack.wire;

import java.nio.charset.StandardCharsets;

/** The other format that bytes seem to be in, for the text of an error: they are often handed over by mistake. */
public final class ForeignFormat {
    private static final byte[] RECORDS = "\u0089SWR".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};
    /** What Java's own serialization begins with. */
    private static final byte[] SERIALIZED = {(byte) 0xac, (byte) 0xed, 0, 5};

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
            return "an ObjectOutputStream's";
        } else if (begins(bytes, from, to, RECORDS)) {
            return "a record file: read it with a RecordReader";
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
