package io.samewire.redis.cli;

import io.samewire.redis.resp.Reply;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Replies, and values of pack, as one line of JSON. */
final class Json {
    private final StringBuilder out = new StringBuilder();
    /** Null to show values of pack as the bytes that they are. */
    private final PackValues values;

    private Json(PackValues values) {
        this.values = values;
    }

    static String of(Reply reply, PackValues values) {
        Json json = new Json(values);
        json.reply(reply);
        return json.out.toString();
    }

    /** A decoded value of pack. */
    static String of(Object value) {
        Json json = new Json(null);
        json.value(value);
        return json.out.toString();
    }

    /** The text that bytes are in UTF-8, or empty if they are none. */
    static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException none) {
            return Optional.empty();
        }
    }

    private void reply(Reply reply) {
        if (reply instanceof Reply.Text text) {
            byte[] bytes = text.bytes();
            Optional<PackValues.Value> found = values == null ? Optional.empty() : values.decode(bytes);
            if (found.isPresent()) {
                value(found.get().value());
            } else {
                bytes(bytes);
            }
        } else if (reply instanceof Reply.Array array) {
            list(array.elements());
        } else if (reply instanceof Reply.Map map) {
            map(map);
        } else if (reply instanceof Reply.Error error) {
            out.append("{\"error\": ");
            text(error.exception().text());
            out.append('}');
        } else if (reply instanceof Reply.Double number) {
            value(number.value());
        } else {
            // Null, an integer, a boolean: JSON writes them as they are shown.
            out.append(reply);
        }
    }

    private void bytes(byte[] bytes) {
        Optional<String> text = utf8(bytes);
        if (text.isPresent()) {
            text(text.get());
        } else {
            out.append("{\"base64\": \"").append(Base64.getEncoder().encodeToString(bytes)).append("\"}");
        }
    }

    private void list(List<Reply> elements) {
        out.append('[');
        for (int i = 0; i < elements.size(); i++) {
            out.append(i == 0 ? "" : ", ");
            reply(elements.get(i));
        }
        out.append(']');
    }

    /** An object if all keys are different texts, else a list of pairs. */
    private void map(Reply.Map map) {
        java.util.Set<String> keys = new java.util.HashSet<>();
        boolean object = true;
        for (int i = 0; i < map.size() && object; i++) {
            object = map.key(i) instanceof Reply.Text key
                && utf8(key.bytes()).filter(keys::add).isPresent();
        }
        out.append(object ? '{' : '[');
        for (int i = 0; i < map.size(); i++) {
            out.append(i == 0 ? "" : ", ");
            if (object) {
                text(((Reply.Text) map.key(i)).toString());
                out.append(": ");
                reply(map.value(i));
            } else {
                list(List.of(map.key(i), map.value(i)));
            }
        }
        out.append(object ? '}' : ']');
    }

    private void value(Object value) {
        if (value == null || value instanceof Boolean || value instanceof BigInteger || value instanceof Byte
                || value instanceof Short || value instanceof Integer || value instanceof Long) {
            out.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            // JSON has no numbers for the others.
            out.append(Double.isFinite(number) ? value.toString() : '"' + value.toString() + '"');
        } else if (value instanceof byte[] bytes) {
            out.append("{\"base64\": \"").append(Base64.getEncoder().encodeToString(bytes)).append("\"}");
        } else if (value instanceof Map<?, ?> map) {
            entries(map);
        } else if (value instanceof Iterable<?> elements) {
            elements(elements);
        } else if (value.getClass().isArray()) {
            out.append('[');
            for (int i = 0; i < Array.getLength(value); i++) {
                out.append(i == 0 ? "" : ", ");
                value(Array.get(value, i));
            }
            out.append(']');
        } else {
            text(value.toString());
        }
    }

    private void elements(Iterable<?> elements) {
        out.append('[');
        String before = "";
        for (Object element : elements) {
            out.append(before);
            value(element);
            before = ", ";
        }
        out.append(']');
    }

    private void entries(Map<?, ?> map) {
        boolean object = map.keySet().stream().allMatch(String.class::isInstance);
        out.append(object ? '{' : '[');
        String before = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(before).append(object ? "" : "[");
            value(entry.getKey());
            out.append(object ? ": " : ", ");
            value(entry.getValue());
            out.append(object ? "" : "]");
            before = ", ";
        }
        out.append(object ? '}' : ']');
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c < ' ' || c >= 0x7f && c < 0xa0 || c == '\u2028' || c == '\u2029') {
                out.append("\\u").append(Integer.toHexString(0x10000 | c), 1, 5);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
