package io.samewire.redis.cli;

import io.samewire.redis.resp.Reply;
import java.util.List;
import java.util.Optional;

/** Replies as people read them: a number before each element, nesting indented, control characters escaped. */
final class Readable {
    /** Null to show values of pack as the bytes that they are. */
    private final PackValues values;

    Readable(PackValues values) {
        this.values = values;
    }

    /** Returns the lines of a reply. */
    String show(Reply reply) {
        return show(reply, "");
    }

    private String show(Reply reply, String indent) {
        if (reply instanceof Reply.Array array) {
            return array.elements().isEmpty() ? "(empty)" : elements(array.elements(), indent);
        } else if (reply instanceof Reply.Map map) {
            return map.size() == 0 ? "(empty)" : entries(map, indent);
        } else if (reply instanceof Reply.Text text) {
            return text(text.bytes());
        } else if (reply instanceof Reply.Error error) {
            return "(error) " + escaped(error.exception().text());
        }
        return reply instanceof Reply.Null ? "(nil)" : reply.toString();
    }

    private String elements(List<Reply> elements, String indent) {
        int width = String.valueOf(elements.size()).length();
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < elements.size(); i++) {
            String number = " ".repeat(width - String.valueOf(i + 1).length()) + (i + 1) + ") ";
            lines.append(i == 0 ? "" : "\n" + indent).append(number)
                .append(show(elements.get(i), indent + " ".repeat(number.length())));
        }
        return lines.toString();
    }

    private String entries(Reply.Map map, String indent) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < map.size(); i++) {
            lines.append(i == 0 ? "" : "\n" + indent).append(show(map.key(i), indent)).append(": ");
            Reply value = map.value(i);
            boolean nested = value instanceof Reply.Array || value instanceof Reply.Map;
            String deeper = nested ? indent + "  " : indent;
            String shown = show(value, deeper);
            lines.append(nested && !shown.equals("(empty)") ? "\n" + deeper : "").append(shown);
        }
        return lines.toString();
    }

    private String text(byte[] bytes) {
        Optional<PackValues.Value> value = values == null ? Optional.empty() : values.decode(bytes);
        if (value.isPresent()) {
            return Json.of(value.get().value());
        }
        return Json.utf8(bytes).map(Readable::escaped).orElseGet(() -> quoted(bytes));
    }

    /** Control characters could forge lines, or command the terminal. Line ends are left to texts of many lines. */
    private static String escaped(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            if (c == '\n' || c == '\t' || type != Character.CONTROL && type != Character.FORMAT) {
                shown.appendCodePoint(c);
            } else if (c != '\r') {
                shown.append(String.format("\\u%04x", c));
            }
        });
        return shown.toString();
    }

    /** Bytes that are no text, as a script's line takes them. */
    private static String quoted(byte[] bytes) {
        StringBuilder shown = new StringBuilder("\"");
        for (byte b : bytes) {
            if (b == '"' || b == '\\') {
                shown.append('\\').append((char) b);
            } else if (b >= ' ' && b < 0x7f) {
                shown.append((char) b);
            } else {
                shown.append(String.format("\\x%02x", b));
            }
        }
        return shown.append('"').toString();
    }
}
