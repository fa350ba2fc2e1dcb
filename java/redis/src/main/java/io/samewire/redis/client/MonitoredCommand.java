package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A command that a server has run, as {@code MONITOR} shows it.
 *
 * @param time when, to the microsecond
 * @param database the number of the database
 * @param client the address of the client: {@code 127.0.0.1:50000}, {@code unix:/path}, or {@code lua}
 * @param words the command and its arguments
 */
public record MonitoredCommand(Instant time, int database, String client, List<Bytes> words) {
    /** Reads {@code 1339518083.107412 [0 127.0.0.1:60866] "get" "key"}. */
    static MonitoredCommand parse(byte[] line) {
        String text = line == null ? "" : new String(line, StandardCharsets.ISO_8859_1);
        try {
            int open = text.indexOf(" [");
            int blank = text.indexOf(' ', open + 2);
            int close = text.indexOf("] ", blank);
            int point = text.indexOf('.');
            Instant time = Instant.ofEpochSecond(Long.parseLong(text.substring(0, point)),
                1000L * Integer.parseInt(text.substring(point + 1, open)));
            return new MonitoredCommand(time, Integer.parseInt(text.substring(open + 2, blank)),
                text.substring(blank + 1, close), words(text, close + 2));
        } catch (IndexOutOfBoundsException | NumberFormatException odd) {
            throw new SamewireException(Code.MALFORMED, -1, null, "expected a line of MONITOR, found "
                + text.substring(0, Math.min(text.length(), 200)), odd);
        }
    }

    private static List<Bytes> words(String text, int start) {
        List<Bytes> words = new ArrayList<>();
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        int at = start;
        while (at < text.length()) {
            // Behind the quote.
            at++;
            while (text.charAt(at) != '"') {
                at = character(text, at, word);
            }
            words.add(Bytes.wrap(word.toByteArray()));
            word.reset();
            at += 2;
        }
        return List.copyOf(words);
    }

    private static int character(String text, int at, ByteArrayOutputStream word) {
        char c = text.charAt(at);
        if (c != '\\') {
            word.write(c);
            return at + 1;
        }
        char escaped = text.charAt(at + 1);
        if (escaped == 'x') {
            word.write(Integer.parseInt(text.substring(at + 2, at + 4), 16));
            return at + 4;
        }
        word.write(switch (escaped) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'a' -> 7;
            case 'b' -> '\b';
            default -> escaped;
        });
        return at + 2;
    }
}
