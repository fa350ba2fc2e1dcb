package io.samewire.pack.schema;

import io.samewire.core.Code;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Canonical schema text, its digest, and names in paths. */
public final class CanonicalText {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<String> WORDS = new HashSet<>(
        Set.of("option", "list", "set", "map", "tuple", "ref", "enum", "struct", "union"));

    static {
        for (Kind kind : Kind.values()) {
            WORDS.add(kind.word());
        }
    }

    private final StringBuilder out = new StringBuilder();
    private final Set<String> defined = new HashSet<>();
    private int open;
    private boolean annotations;

    private CanonicalText() {}

    /**
     * The one canonical text of a type.
     *
     * @throws SamewireException {@code limit_depth} or {@code limit_size} at 0: the canonical text may be nested
     *     deeper, and be longer, than the text that was read
     */
    public static String print(SchemaType type) {
        CanonicalText printer = new CanonicalText();
        printer.type(type);
        String text = printer.out.toString();
        if (SchemaParser.isTooLong(text)) {
            throw new SamewireException(Code.LIMIT_SIZE, 0, null, "the canonical text is over 1 MiB"
                + SchemaParser.DIVIDE);
        }
        return text;
    }

    /** The canonical text with the annotations of a reader's type, which no digest covers (section 2). */
    public static String annotated(SchemaType type) {
        CanonicalText printer = new CanonicalText();
        printer.annotations = true;
        printer.type(type);
        return printer.out.toString();
    }

    /** FNV-1a of the text's UTF-8 bytes, 64 bits (section 3). */
    public static long digest(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    static boolean isWord(String token) {
        return WORDS.contains(token);
    }

    /** A name as schema text has it: in quotes only where it needs them. */
    static String name(String name) {
        return IDENTIFIER.matcher(name).matches() && !WORDS.contains(name) ? name : Path.quoted(name);
    }

    private void type(SchemaType type) {
        if (type instanceof SchemaType.Scalar t) {
            out.append(t.kind.word());
        } else if (type instanceof SchemaType.EnumOf t) {
            if (!defined.add(t.name)) {
                out.append(name(t.name));
                return;
            }
            out.append("enum ").append(name(t.name));
            aliases(t.aliases);
            open(" { ");
            Iterator<String> symbols = t.symbols.iterator();
            while (symbols.hasNext()) {
                String symbol = symbols.next();
                out.append(name(symbol)).append(annotations && symbol.equals(t.fallback) ? " @fallback" : "");
                out.append(symbols.hasNext() ? ", " : " }");
            }
            open--;
        } else if (type instanceof SchemaType.Struct t) {
            struct(t);
        } else if (type instanceof SchemaType.Union t) {
            open("union { ");
            Iterator<SchemaType.Struct> members = t.members.iterator();
            while (members.hasNext()) {
                SchemaType.Struct member = members.next();
                struct(member);
                out.append(annotations && member.name.equals(t.fallback) ? " @fallback" : "");
                out.append(members.hasNext() ? ", " : " }");
            }
            open--;
        } else {
            out.append(word(type));
            open("<");
            Iterator<SchemaType> parts = type.parts().iterator();
            while (parts.hasNext()) {
                type(parts.next());
                out.append(parts.hasNext() ? ", " : ">");
            }
            open--;
        }
    }

    private void struct(SchemaType.Struct t) {
        if (!defined.add(t.name)) {
            out.append(name(t.name));
            return;
        }
        out.append("struct ").append(name(t.name));
        aliases(t.aliases);
        open(t.fields.isEmpty() ? " {}" : " { ");
        Iterator<SchemaType.Field> fields = t.fields.iterator();
        while (fields.hasNext()) {
            SchemaType.Field field = fields.next();
            out.append(name(field.name())).append(": ");
            type(field.type());
            out.append(annotations && field.defaulted() ? " @default" : "");
            aliases(field.aliases());
            out.append(fields.hasNext() ? ", " : " }");
        }
        open--;
    }

    private void aliases(List<String> aliases) {
        if (annotations && !aliases.isEmpty()) {
            out.append(" @alias(").append(String.join(", ", aliases.stream().map(CanonicalText::name).toList()));
            out.append(')');
        }
    }

    private void open(String bracket) {
        out.append(bracket);
        if (++open > SchemaParser.MOST_OPEN) {
            throw new SamewireException(Code.LIMIT_DEPTH, 0, null, "the canonical text is nested more than 64 deep"
                + SchemaParser.NEST_FEWER);
        }
    }

    /** A type without its parts: its word, and its name if it has one. */
    static String word(SchemaType type) {
        if (type instanceof SchemaType.Option) {
            return "option";
        } else if (type instanceof SchemaType.ListOf) {
            return "list";
        } else if (type instanceof SchemaType.SetOf) {
            return "set";
        } else if (type instanceof SchemaType.MapOf) {
            return "map";
        } else if (type instanceof SchemaType.TupleOf) {
            return "tuple";
        } else if (type instanceof SchemaType.Ref) {
            return "ref";
        } else if (type instanceof SchemaType.Struct t) {
            return "struct " + name(t.name);
        } else if (type instanceof SchemaType.EnumOf t) {
            return "enum " + name(t.name);
        } else if (type instanceof SchemaType.Scalar t) {
            return t.kind.word();
        }
        return "union";
    }
}
