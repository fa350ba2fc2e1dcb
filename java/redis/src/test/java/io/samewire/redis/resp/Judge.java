package io.samewire.redis.resp;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Arrays;
import java.util.List;

/** Holds scanner, reader, lazy replies and writer against one another on a stream of bytes. */
final class Judge {
    /** Limits that short streams reach. */
    static final Limits TIGHT = new Limits(3, 90, 1, 12, 50, 1);

    private Judge() {}

    /**
     * Returns what must not be, or null: a scanner that sees the stream whole, in two pieces, byte by byte, and a
     * reader, find the same replies and the same error; each reply reads as itself when it was written, and typed reads
     * give a value or a coded error.
     */
    static String fault(byte[] stream, int cut, Limits limits) {
        Replies whole = Replies.scanned(stream, new int[0], limits);
        if (!whole.equals(Replies.scanned(stream, new int[] {cut}, limits))) {
            return "cut at " + cut + ": " + whole + Replies.scanned(stream, new int[] {cut}, limits);
        } else if (!whole.equals(Replies.scanned(stream, Replies.everywhere(stream), limits))) {
            return "byte by byte: " + whole + Replies.scanned(stream, Replies.everywhere(stream), limits);
        } else if (!whole.equals(Replies.walked(stream, limits))) {
            return "reader: " + whole + Replies.walked(stream, limits);
        }
        int from = 0;
        for (int length : whole.lengths()) {
            byte[] reply = Arrays.copyOfRange(stream, from, from + length);
            String wrong = again(reply, limits);
            if (wrong != null) {
                return wrong;
            }
            from += length;
        }
        return null;
    }

    private static String again(byte[] bytes, Limits limits) {
        Reply reply = Reply.read(bytes, limits, Utf8.LENIENT);
        RequestWriter out = new RequestWriter();
        new ReplyWriter(out).reply(reply);
        byte[] written = out.toByteArray();
        Reply back = Reply.read(written, Limits.DEFAULT, Utf8.LENIENT);
        if (!Notation.of(reply).equals(Notation.of(back)) && !isText(reply, back)) {
            return "what is written reads otherwise: " + reply + " and " + back;
        }
        out.reset();
        new ReplyWriter(out).reply(back);
        if (!Arrays.equals(written, out.toByteArray())) {
            return "what is read again is written otherwise";
        }
        for (Read read : READS) {
            String wrong = typed(bytes, read);
            if (wrong != null) {
                return wrong;
            }
        }
        return null;
    }

    /** A simple string with a line end, which only a lenient peer sends, is written as a bulk string. */
    private static boolean isText(Reply one, Reply other) {
        return one instanceof Reply.Text && other instanceof Reply.Text && one.toString().equals(other.toString());
    }

    private interface Read {
        void from(ReplyReader reader);
    }

    private static final List<Read> READS = List.of(ReplyReader::readLong, ReplyReader::readDouble,
        ReplyReader::readBoolean, ReplyReader::readBigInteger, ReplyReader::readString, ReplyReader::readLenientString,
        ReplyReader::readBytes, ReplyReader::readReply, ReplyReader::readAttributes, reader -> all(reader, false),
        reader -> all(reader, true));

    /** Reads all elements of an aggregate, as a map or as an array, each as a text. */
    private static void all(ReplyReader reader, boolean map) {
        int count = map ? 2 * reader.beginMap() : reader.beginArray();
        for (int i = 0; i < count; i++) {
            if (reader.type().compareTo(ReplyType.ARRAY) >= 0) {
                all(reader, !map && reader.type() == ReplyType.MAP);
            } else {
                reader.readLenientString();
            }
        }
    }

    private static String typed(byte[] bytes, Read read) {
        ReplyReader reader = new ReplyReader(Limits.DEFAULT, Utf8.STRICT).reset(bytes, 0, bytes.length);
        try {
            read.from(reader);
        } catch (RedisException error) {
            return null;
        } catch (SamewireException error) {
            boolean expected = error.code() == Code.TYPE_MISMATCH || error.code() == Code.BAD_UTF8;
            boolean within = error.at() >= 0 && error.at() < bytes.length && error.path().startsWith("$");
            return expected && within ? null : "a complete reply gives " + error;
        }
        boolean rest = reader.position() != bytes.length && reader.isDone();
        return rest ? "a reply that was read ends at " + reader.position() : null;
    }
}
