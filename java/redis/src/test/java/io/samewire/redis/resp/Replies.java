package io.samewire.redis.resp;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a stream of bytes holds: the lengths of its replies, and the code and offset of what ends it, or null.
 *
 * @param lengths of the replies that are complete
 * @param fault like {@code malformed at 3}
 */
record Replies(List<Integer> lengths, String fault) {
    /** Scans a stream that comes in pieces which end at some places, each piece in an array of its own. */
    static Replies scanned(byte[] stream, int[] cuts, Limits limits) {
        ReplyScanner scanner = new ReplyScanner(limits);
        List<Integer> lengths = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            int cut = i == cuts.length ? stream.length : cuts[i];
            while (true) {
                // The bytes that are there, at another place each time, and a byte behind them that must not be read.
                byte[] there = new byte[i % 3 + cut - from + 1];
                System.arraycopy(stream, from, there, i % 3, cut - from);
                there[there.length - 1] = '\n';
                int length;
                try {
                    length = scanner.scan(there, i % 3, i % 3 + cut - from);
                } catch (SamewireException error) {
                    return new Replies(lengths, dead(scanner, error));
                }
                if (length <= 0) {
                    if (length == 0) {
                        throw new AssertionError("nothing is missing");
                    }
                    break;
                }
                lengths.add(length);
                from += length;
            }
        }
        return new Replies(lengths, null);
    }

    private static String dead(ReplyScanner scanner, SamewireException error) {
        try {
            scanner.scan(new byte[] {'+', '\r', '\n'}, 0, 3);
        } catch (SamewireException again) {
            if (again == error) {
                return fault(error, 0);
            }
        }
        throw new AssertionError("a dead scanner stays dead");
    }

    private static String fault(SamewireException error, int from) {
        return error.code() + " at " + (from + error.at());
    }

    /** Walks over a stream with a reader alone, which a scanner helps where the reader finds a reply incomplete. */
    static Replies walked(byte[] stream, Limits limits) {
        ReplyReader reader = new ReplyReader(limits, Utf8.STRICT);
        List<Integer> lengths = new ArrayList<>();
        int from = 0;
        while (from < stream.length) {
            try {
                reader.reset(stream, from, stream.length).skip();
                lengths.add(reader.position() - from);
                from = reader.position();
            } catch (IncompleteReplyException more) {
                try {
                    int length = new ReplyScanner(limits).scan(stream, from, stream.length);
                    if (length > 0) {
                        throw new AssertionError("the scanner has a reply where the reader lacks bytes");
                    }
                    return new Replies(lengths, null);
                } catch (SamewireException error) {
                    return new Replies(lengths, fault(error, from));
                }
            } catch (SamewireException error) {
                return new Replies(lengths, fault(error, from));
            }
        }
        return new Replies(lengths, null);
    }

    /** Every place within a stream. */
    static int[] everywhere(byte[] stream) {
        int[] cuts = new int[stream.length];
        Arrays.setAll(cuts, i -> i);
        return cuts;
    }
}
