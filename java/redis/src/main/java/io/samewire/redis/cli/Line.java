package io.samewire.redis.cli;

import io.samewire.redis.command.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The words of a line of a script, quoted as in redis-cli. */
final class Line {
    private final String text;
    private int at;

    private Line(String text) {
        this.text = text;
    }

    /** Returns the words; none for a blank line and a comment. */
    static List<Bytes> words(String text) throws Usage {
        Line line = new Line(text);
        List<Bytes> words = new ArrayList<>();
        for (line.skipBlanks(); line.at < text.length(); line.skipBlanks()) {
            if (words.isEmpty() && text.charAt(line.at) == '#') {
                return List.of();
            }
            words.add(line.word());
        }
        return words;
    }

    private void skipBlanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private Bytes word() throws Usage {
        char first = text.charAt(at);
        if (first == '"' || first == '\'') {
            return quoted(first);
        }
        int from = at;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return Bytes.of(text.substring(from, at));
    }

    private Bytes quoted(char quote) throws Usage {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == quote) {
                at++;
                if (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
                    throw new Usage("expected a blank behind the quote at column " + at);
                }
                return Bytes.wrap(bytes.toByteArray());
            } else if (c == '\\' && at + 1 < text.length()) {
                escaped(quote, bytes);
            } else {
                int point = text.codePointAt(at);
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
                at += Character.charCount(point) - 1;
            }
        }
        throw new Usage("a quote is not closed");
    }

    /** At a backslash; at the last character of what it begins afterwards. */
    private void escaped(char quote, ByteArrayOutputStream bytes) {
        char c = text.charAt(at + 1);
        if (quote == '\'') {
            // Only the quote itself can be escaped.
            if (c == '\'') {
                at++;
            }
            bytes.write(c == '\'' ? '\'' : '\\');
            return;
        }
        at++;
        if (c == 'x' && at + 2 < text.length() && Character.digit(text.charAt(at + 1), 16) >= 0
                && Character.digit(text.charAt(at + 2), 16) >= 0) {
            bytes.write(Integer.parseInt(text.substring(at + 1, at + 3), 16));
            at += 2;
            return;
        }
        int special = "nrtab".indexOf(c);
        bytes.writeBytes((special < 0 ? String.valueOf(c) : "\n\r\t\u0007\b".substring(special, special + 1))
            .getBytes(StandardCharsets.UTF_8));
    }
}
