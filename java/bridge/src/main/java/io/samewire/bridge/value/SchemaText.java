package io.samewire.bridge.value;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The outline of a schema's text ({@code spec/pack.md} section 2): containers and their parts, and the names of structs
 * and enums without their members. It gives the natural Java type of the schema's values; pack itself parses the
 * text again when it makes a decoder.
 */
final class SchemaText {
    private static final int MOST_DEPTH = 64;

    /** A scalar's word, {@code list}, {@code option} …, {@code struct}, {@code enum}, {@code union}. */
    final String word;
    /** The name of a struct or enum; null of others. */
    final String name;
    /** The text of a struct or enum, from its first word on; null of others. */
    final String text;
    /** The types between angle brackets. */
    final List<SchemaText> parts;

    private SchemaText(String word, String name, String text, List<SchemaText> parts) {
        this.word = word;
        this.name = name;
        this.text = text;
        this.parts = parts;
    }

    /**
     * Returns the outline of a schema.
     *
     * @throws SamewireException {@code type_mismatch} without an offset if the text is not a schema
     */
    static SchemaText parse(String text) {
        Parser parser = new Parser(text);
        SchemaText root = parser.type(MOST_DEPTH);
        parser.space();
        if (parser.at != text.length()) {
            throw parser.wrong();
        }
        return root;
    }

    /** Whether this is {@code tuple<date, time>}. */
    boolean isDateTime() {
        return word.equals("tuple") && parts.size() == 2 && parts.get(0).word.equals("date")
            && parts.get(1).word.equals("time");
    }

    private static final class Parser {
        private final String text;
        /** The structs and enums so far: a schema refers to them by name when they occur again. */
        private final Map<String, SchemaText> defined = new HashMap<>();
        private int at;

        Parser(String text) {
            this.text = text;
        }

        SamewireException wrong() {
            String cut = text.length() > 80 ? text.substring(0, 80) + "…" : text;
            return new SamewireException(Code.TYPE_MISMATCH, -1, null,
                "'" + cut + "' is neither a kind nor the schema of a message, at " + at);
        }

        void space() {
            while (at < text.length() && text.charAt(at) <= ' ') {
                at++;
            }
        }

        private boolean has(char c) {
            space();
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private String name() {
            space();
            StringBuilder name = new StringBuilder();
            if (has('"')) {
                while (at < text.length() && text.charAt(at) != '"') {
                    name.append(escaped());
                }
                at++;
                return name.toString();
            }
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
                name.append(text.charAt(at++));
            }
            if (name.length() == 0) {
                throw wrong();
            }
            return name.toString();
        }

        private char escaped() {
            char c = text.charAt(at++);
            if (c != '\\') {
                return c;
            }
            if (at >= text.length()) {
                throw wrong();
            }
            char escape = text.charAt(at++);
            if (escape != 'u') {
                return escape;
            }
            try {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, Math.min(at, text.length())), 16);
            } catch (RuntimeException notHex) {
                throw wrong();
            }
        }

        SchemaText type(int depth) {
            if (depth == 0) {
                throw wrong();
            }
            space();
            int from = at;
            String word = name();
            List<SchemaText> parts = new ArrayList<>();
            if (has('<')) {
                do {
                    parts.add(type(depth - 1));
                } while (has(','));
                if (!has('>')) {
                    throw wrong();
                }
                return new SchemaText(word, null, null, parts);
            } else if (word.equals("struct") || word.equals("enum")) {
                String name = name();
                body();
                SchemaText made = new SchemaText(word, name, text.substring(from, at), parts);
                defined.put(name, made);
                return made;
            } else if (word.equals("union")) {
                body();
            }
            // A struct may have a scalar's word as its name, which is then quoted.
            boolean isName = text.charAt(from) == '"' || NaturalType.scalar(word) == null;
            SchemaText known = isName ? defined.get(word) : null;
            return known != null ? known : new SchemaText(word, null, null, parts);
        }

        /** Skips members in braces. */
        private void body() {
            if (!has('{')) {
                throw wrong();
            }
            int open = 1;
            while (open > 0) {
                if (at >= text.length()) {
                    throw wrong();
                }
                char c = text.charAt(at);
                if (c == '"') {
                    name();
                    continue;
                }
                open += c == '{' ? 1 : c == '}' ? -1 : 0;
                at++;
            }
        }
    }
}
