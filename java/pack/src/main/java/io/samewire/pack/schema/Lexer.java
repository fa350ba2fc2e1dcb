package io.samewire.pack.schema;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** The tokens of schema text, one ahead. Positions are in chars; errors give them in bytes of UTF-8. */
final class Lexer {
    private static final int NAME_UNITS = 255;

    private final String text;
    private int pos;
    /** Where the token last peeked at or read begins. */
    int at;

    Lexer(String text) {
        this.text = text;
    }

    SamewireException fail(int where, String what) {
        return fail(Code.MALFORMED, where, what);
    }

    SamewireException fail(Code code, int where, String what) {
        return new SamewireException(code, utf8Length(where), null, what);
    }

    /** Bytes of the first {@code end} chars; a lone surrogate counts three. */
    long utf8Length(int end) {
        long bytes = 0;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes += 3;
            }
        }
        return bytes;
    }

    /** The next token, left in place; empty at the end of the text. */
    String peek() {
        pos = firstBehindSpace(pos);
        at = pos;
        if (pos == text.length()) {
            return "";
        }
        char first = text.charAt(pos);
        boolean annotation = first == '@' && pos + 1 < text.length() && isLetter(text.charAt(pos + 1));
        if (annotation || isLetter(first)) {
            int end = pos + 1;
            while (end < text.length()
                && (isLetter(text.charAt(end)) || text.charAt(end) >= '0' && text.charAt(end) <= '9')) {
                end++;
            }
            return text.substring(pos, end);
        }
        if ("<>{}(),:?".indexOf(first) >= 0) {
            return String.valueOf(first);
        }
        if (first == '"') {
            for (int end = pos + 1; end < text.length(); end++) {
                char c = text.charAt(end);
                if (c == '"') {
                    return text.substring(pos, end + 1);
                } else if (c == '\\') {
                    end++;
                }
            }
            throw fail(text.length(), "the text ends inside a quoted name");
        }
        throw fail(pos, "no token starts with '" + first + "'" + remedy(first));
    }

    /** What to write in the place of a sign that other notations have. */
    private static String remedy(char sign) {
        return switch (sign) {
            case ';' -> ": commas are between fields";
            case '[', ']' -> ": a list is list<...>";
            case '|' -> ": what may be null is option<...>, or has a ? behind it; one of several structs is a union"
                + " { ... }";
            case '=' -> ": schema text has no values, leave it out";
            case '/', '*' -> ": a comment is // or # and the rest of the line";
            default -> Character.isLetterOrDigit(sign) || "-$'`.".indexOf(sign) >= 0
                ? ": a name with other signs than letters, digits and _ is in double quotes" : "";
        };
    }

    /** Where the next token begins. Looks at nothing else, which may be no token. */
    int upcoming() {
        return firstBehindSpace(pos);
    }

    /** Reads a {@code ?} if it comes next. Looks at nothing else, which may be no token. */
    boolean isOption() {
        pos = firstBehindSpace(pos);
        if (!text.startsWith("?", pos)) {
            return false;
        }
        at = pos++;
        return true;
    }

    /** Passes over white space and comments. */
    private int firstBehindSpace(int from) {
        int end = from;
        while (end < text.length()) {
            if (" \t\r\n".indexOf(text.charAt(end)) >= 0) {
                end++;
            } else if (text.charAt(end) == '#' || text.startsWith("//", end)) {
                int line = text.indexOf('\n', end);
                end = line < 0 ? text.length() : line;
            } else {
                break;
            }
        }
        return end;
    }

    String next() {
        String token = peek();
        pos += token.length();
        return token;
    }

    void expect(String wanted) {
        String token = next();
        if (!token.equals(wanted)) {
            throw fail(at, "expected " + wanted + ", got '" + token + "'");
        }
    }

    /** Reads a comma (true) or the closing bracket (false): behind a comma too, if it is a brace. */
    boolean more(String closing) {
        String token = next();
        if (!token.equals(",") && !token.equals(closing)) {
            throw fail(at, "expected , or " + closing + ", got '" + token + "'");
        }
        if (token.equals(",") && closing.equals("}") && peek().equals("}")) {
            token = next();
        }
        return token.equals(",");
    }

    /** Reads the name of a struct or enum; {@link #at} is where it begins. */
    String name() {
        String token = peek();
        if (CanonicalText.isWord(token)) {
            throw fail(at, "expected a name, got '" + token + "', a word of the schema's own: write it in quotes");
        }
        return label();
    }

    /** Reads the name of a field, a symbol or an alias, which may be a keyword; {@link #at} is where it begins. */
    String label() {
        String token = next();
        int where = at;
        if (token.startsWith("\"")) {
            return unquote(token, where);
        }
        if (token.isEmpty() || !isLetter(token.charAt(0))) {
            throw fail(where, "expected a name, got '" + token + "'");
        }
        if (token.length() > NAME_UNITS) {
            throw fail(where, "a name has 1 to 255 UTF-16 code units");
        }
        return token;
    }

    private String unquote(String token, int where) {
        StringBuilder name = new StringBuilder();
        int last = token.length() - 1;
        for (int i = 1; i < last; i++) {
            char c = token.charAt(i);
            if (c == '\\') {
                char escaped = token.charAt(i + 1);
                if (escaped == '"' || escaped == '\\') {
                    name.append(escaped);
                    i++;
                } else if (token.regionMatches(i + 1, "u00", 0, 3) && i + 5 < last
                    && "01".indexOf(token.charAt(i + 4)) >= 0
                    && "0123456789abcdef".indexOf(token.charAt(i + 5)) >= 0) {
                    name.append((char) Integer.parseInt(token.substring(i + 4, i + 6), 16));
                    i += 5;
                } else {
                    throw fail(where, "a quoted name knows \\\" \\\\ \\u00XX for U+0000 … U+001F, nothing else");
                }
            } else if (Character.isHighSurrogate(c) && i + 1 < last && Character.isLowSurrogate(token.charAt(i + 1))) {
                name.append(c).append(token.charAt(++i));
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                throw fail(where, "a quoted name holds no control character and no lone surrogate");
            } else {
                name.append(c);
            }
        }
        if (name.isEmpty() || name.length() > NAME_UNITS) {
            throw fail(where, "a name has 1 to 255 UTF-16 code units");
        }
        return name.toString();
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }
}
