package io.samewire.pack.schema;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads schema text ({@code spec/pack.md} section 2) in two passes. The first goes left to right and reports the first
 * syntax error, repetition or limit. The second looks at what needs the whole text, because a name may be used before
 * the place that defines it: names never defined, and types where their kind is not allowed; it reports the one that
 * stands first.
 */
public final class SchemaParser {
    private static final int MOST_BYTES = 1 << 20;
    static final int MOST_OPEN = 64;
    private static final int MOST_NODES = 65_536;
    /** What to do about a text that is too long: the limits are fixed. */
    private static final String SAID = "the schema's word is ";
    static final String DIVIDE = ": divide it into several schemas";
    static final String NEST_FEWER = ": nest fewer, or use any for the inner types";
    private static final int MOST_IN_TUPLE = 255;
    private static final Comparator<SchemaType.Struct> BY_NAME = new Comparator<>() {
        @Override
        public int compare(SchemaType.Struct one, SchemaType.Struct other) {
            return one.name.compareTo(other.name);
        }
    };

    /** A type as first read: {@code made} is null for a name, {@code parts} belong to {@code made}. */
    private static final class Raw {
        final int at;
        String name;
        SchemaType made;
        final List<Raw> parts = new ArrayList<>();
        final List<String> labels = new ArrayList<>();
        /** The fields that say {@code @default}. */
        final Set<String> defaulted = new HashSet<>();
        /** Of a struct's fields, in their order. */
        final List<List<String>> aliases = new ArrayList<>();
        /** The member of a union that says {@code @fallback}, and where. */
        Raw fallback;
        int fallbackAt;

        Raw(int at) {
            this.at = at;
        }
    }

    private final Lexer tokens;
    private final Map<String, SchemaType> defined = new HashMap<>();
    /** Names and aliases of types. */
    private final Set<String> taken = new HashSet<>();
    private final List<Raw> places = new ArrayList<>();
    private int nodes;
    private int open;
    private SamewireException first;
    private int firstAt = Integer.MAX_VALUE;

    /** The last name of a type, and where the token behind it begins. */
    private String lastName;
    private int behindName = -1;

    private SchemaParser(String text) {
        this.tokens = new Lexer(text);
    }

    /**
     * Reads a schema.
     *
     * @throws SamewireException {@code malformed}, {@code limit_size}, {@code limit_depth} or {@code limit_items}, with
     *     the offset in bytes
     */
    public static SchemaType parse(String text) {
        if (isTooLong(text)) {
            throw new SamewireException(Code.LIMIT_SIZE, 0, null, "schema text over 1 MiB" + DIVIDE);
        }
        SchemaParser parser = new SchemaParser(text);
        try {
            return parser.whole();
        } catch (SamewireException refused) {
            throw parser.explained(refused);
        }
    }

    /** Names the remedy for a type with a bracket, as {@code List<i32>}. Later than what is refused before it. */
    private SamewireException explained(SamewireException refused) {
        if (tokens.at != behindName || !refused.text().endsWith("got '<'")) {
            return refused;
        }
        String word = usualWord(lastName);
        return tokens.fail(tokens.at, "'" + lastName + "' takes no <...>: "
            + (word == null ? "only the schema's own types do" : SAID + word));
    }

    private SchemaType whole() {
        Raw root = type();
        String rest = tokens.peek();
        if (!rest.isEmpty()) {
            boolean type = rest.equals("struct") || rest.equals("enum") || rest.equals("union");
            throw tokens.fail(tokens.at, "expected the end of the text, got '" + rest + "'"
                + (type ? ": a schema is one type, and others are written where they occur first" : ""));
        }
        return connect(root);
    }

    /** Whether a text is longer than schema text may be. */
    static boolean isTooLong(String text) {
        return new Lexer(text).utf8Length(text.length()) > MOST_BYTES;
    }

    private void count(int at) {
        if (++nodes > MOST_NODES) {
            throw tokens.fail(Code.LIMIT_ITEMS, at, "more than 65,536 types, fields and symbols" + DIVIDE);
        }
    }

    private void open(String bracket) {
        tokens.expect(bracket);
        if (++open > MOST_OPEN) {
            throw tokens.fail(Code.LIMIT_DEPTH, tokens.at, "types nested more than 64 deep" + NEST_FEWER);
        }
    }

    private boolean more(String closing) {
        boolean more = tokens.more(closing);
        open -= more ? 0 : 1;
        return more;
    }

    /** Reads a type, and a {@code ?} behind it. */
    private Raw type() {
        Raw raw = plainType();
        if (!tokens.isOption()) {
            return raw;
        }
        count(tokens.at);
        Raw option = new Raw(raw.at);
        option.parts.add(raw);
        option.made = new SchemaType.Option(null);
        places.add(option);
        return option;
    }

    private Raw plainType() {
        String token = tokens.peek();
        Raw raw = new Raw(tokens.at);
        if (token.isEmpty()) {
            throw tokens.fail(raw.at, "the text ends where a type is expected");
        }
        if (!CanonicalText.isWord(token)) {
            raw.name = tokens.name();
            count(raw.at);
            lastName = raw.name;
            behindName = tokens.upcoming();
            return raw;
        }
        tokens.next();
        count(raw.at);
        Kind kind = Kind.of(token);
        if (kind != null) {
            raw.made = new SchemaType.Scalar(kind);
            return raw;
        }
        switch (token) {
            case "enum" -> enumeration(raw);
            case "struct" -> struct(raw);
            case "union" -> union(raw);
            default -> generic(raw, token);
        }
        return raw;
    }

    private void generic(Raw raw, String word) {
        open("<");
        if (word.equals("tuple")) {
            do {
                if (raw.parts.size() == MOST_IN_TUPLE) {
                    tokens.peek();
                    throw tokens.fail(tokens.at, "a tuple has 1 to 255 types");
                }
                raw.parts.add(type());
            } while (more(">"));
        } else {
            raw.parts.add(type());
            if (word.equals("map")) {
                tokens.expect(",");
                raw.parts.add(type());
            }
            tokens.expect(">");
            open--;
        }
        raw.made = switch (word) {
            case "option" -> new SchemaType.Option(null);
            case "list" -> new SchemaType.ListOf(null);
            case "set" -> new SchemaType.SetOf(null);
            case "ref" -> new SchemaType.Ref(null);
            case "map" -> new SchemaType.MapOf(null, null);
            default -> new SchemaType.TupleOf(new ArrayList<>());
        };
        places.add(raw);
    }

    private void define(String name, SchemaType made, int at, List<String> aliases) {
        take(name, at, taken);
        defined.put(name, made);
        if (tokens.peek().equals("@alias")) {
            aliases(aliases, taken);
        }
    }

    /** Takes a name or alias, which no other may have. */
    private void take(String name, int at, Set<String> taken) {
        if (!taken.add(name)) {
            throw tokens.fail(at, "'" + name + "' is repeated, as a name or an alias");
        }
    }

    private void aliases(List<String> aliases, Set<String> taken) {
        tokens.next();
        tokens.expect("(");
        do {
            String alias = tokens.label();
            count(tokens.at);
            take(alias, tokens.at, taken);
            aliases.add(alias);
        } while (tokens.more(")"));
    }

    private void enumeration(Raw raw) {
        String name = tokens.name();
        List<String> symbols = new ArrayList<>();
        SchemaType.EnumOf made = new SchemaType.EnumOf(name, symbols);
        raw.made = made;
        define(name, made, tokens.at, made.aliases);
        open("{");
        Set<String> seen = new HashSet<>();
        do {
            String symbol = tokens.label();
            count(tokens.at);
            if (!seen.add(symbol)) {
                throw tokens.fail(tokens.at, "the symbol '" + symbol + "' is repeated");
            }
            symbols.add(symbol);
            if (made.fallback == null && tokens.peek().equals("@fallback")) {
                tokens.next();
                made.fallback = symbol;
            }
        } while (more("}"));
        Collections.sort(symbols);
    }

    private void struct(Raw raw) {
        String name = tokens.name();
        SchemaType.Struct made = new SchemaType.Struct(name, new ArrayList<>());
        raw.made = made;
        define(name, made, tokens.at, made.aliases);
        open("{");
        places.add(raw);
        if (tokens.peek().equals("}")) {
            tokens.expect("}");
            open--;
            return;
        }
        Set<String> fields = new HashSet<>();
        do {
            String field = tokens.label();
            count(tokens.at);
            take(field, tokens.at, fields);
            if (tokens.peek().equals("?")) {
                throw tokens.fail(tokens.at, "expected :, got '?': it stands behind the type, as in 'a: i32?'");
            }
            tokens.expect(":");
            raw.labels.add(field);
            raw.parts.add(type());
            annotations(raw, field, fields);
        } while (more("}"));
    }

    /** The annotations of a field, each at most once. */
    private void annotations(Raw raw, String field, Set<String> fields) {
        List<String> aliases = new ArrayList<>();
        raw.aliases.add(aliases);
        while (true) {
            String word = tokens.peek();
            if (word.equals("@default") && raw.defaulted.add(field)) {
                tokens.next();
            } else if (word.equals("@alias") && aliases.isEmpty()) {
                aliases(aliases, fields);
            } else {
                return;
            }
        }
    }

    private void union(Raw raw) {
        open("{");
        Set<String> seen = new HashSet<>();
        do {
            Raw member = type();
            String name = member.made instanceof SchemaType.Struct struct ? struct.name : member.name;
            if (name != null && !seen.add(name)) {
                throw tokens.fail(member.at, "the member '" + name + "' is repeated");
            }
            raw.parts.add(member);
            if (raw.fallback == null && tokens.peek().equals("@fallback")) {
                raw.fallback = member;
                raw.fallbackAt = tokens.at;
                tokens.next();
            }
        } while (more("}"));
        raw.made = new SchemaType.Union(new ArrayList<>());
        places.add(raw);
    }

    private SchemaType connect(Raw root) {
        SchemaType top = known(root);
        // Emptiness of a struct is known only when all fields are in place.
        for (Raw raw : places) {
            List<SchemaType> parts = new ArrayList<>();
            for (Raw part : raw.parts) {
                parts.add(known(part));
            }
            fill(raw, parts);
        }
        allowed(null, root, top);
        for (Raw raw : places) {
            for (Raw part : raw.parts) {
                allowed(raw, part, known(part));
            }
            if (raw.made instanceof SchemaType.Union t && t.fallback != null && !t.standIn().canStandIn()) {
                fault(raw.fallbackAt, "a fallback has no fields but name: string");
            }
        }
        if (first != null) {
            throw first;
        }
        return top;
    }

    private SchemaType known(Raw part) {
        SchemaType made = part.name == null ? part.made : defined.get(part.name);
        if (made == null) {
            String word = usualWord(part.name);
            fault(part.at, "'" + part.name + "' is never defined"
                + (word == null ? "" : ": " + SAID + word));
            return new SchemaType.Scalar(Kind.BOOL);
        }
        return made;
    }

    /** The schema's word for what other languages call by a name, or write in capitals; null if there is none. */
    private static String usualWord(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return switch (name) {
            case "str", "text", "char", "Character", "varchar" -> "string";
            case "int", "Integer", "integer" -> "i32 or i64";
            case "byte", "Byte" -> "i8";
            case "short", "Short" -> "i16";
            case "long", "Long" -> "i64";
            case "float", "Float", "double", "Double", "number" -> "f64, or f32";
            case "boolean", "Boolean" -> "bool";
            case "i128", "u128", "BigInteger", "BigInt" -> "bigint";
            case "BigDecimal", "numeric" -> "decimal";
            case "Instant", "datetime" -> "timestamp";
            case "Duration", "timedelta" -> "duration";
            case "UUID" -> "uuid";
            case "binary", "blob", "bytearray" -> "bytes";
            case "List", "array", "Vec", "vec", "sequence" -> "list<...>";
            case "Map", "dict", "object", "HashMap" -> "map<..., ...>, or struct";
            case "Optional", "optional", "nullable" -> "option<...>";
            default -> !lower.equals(name) && CanonicalText.isWord(lower) ? lower : null;
        };
    }

    private void fill(Raw raw, List<SchemaType> parts) {
        if (raw.made instanceof SchemaType.Option t) {
            t.item = parts.get(0);
        } else if (raw.made instanceof SchemaType.ListOf t) {
            t.item = parts.get(0);
        } else if (raw.made instanceof SchemaType.SetOf t) {
            t.item = parts.get(0);
        } else if (raw.made instanceof SchemaType.Ref t) {
            t.item = parts.get(0);
        } else if (raw.made instanceof SchemaType.MapOf t) {
            t.key = parts.get(0);
            t.value = parts.get(1);
        } else if (raw.made instanceof SchemaType.TupleOf t) {
            t.items.addAll(parts);
        } else if (raw.made instanceof SchemaType.Struct t) {
            for (int i = 0; i < parts.size(); i++) {
                boolean defaulted = raw.defaulted.contains(raw.labels.get(i))
                    && !(parts.get(i) instanceof SchemaType.Option);
                t.fields.add(new SchemaType.Field(raw.labels.get(i), parts.get(i), defaulted, raw.aliases.get(i)));
            }
        } else if (raw.made instanceof SchemaType.Union t) {
            for (SchemaType part : parts) {
                if (part instanceof SchemaType.Struct struct) {
                    t.members.add(struct);
                }
            }
            t.members.sort(BY_NAME);
            if (raw.fallback != null && known(raw.fallback) instanceof SchemaType.Struct struct) {
                t.fallback = struct.name;
            }
        }
    }

    /** Notes a fault where a type stands in another that does not allow it. */
    private void allowed(Raw outer, Raw part, SchemaType type) {
        SchemaType in = outer == null ? null : outer.made;
        boolean key = type instanceof SchemaType.EnumOf || type instanceof SchemaType.Scalar scalar
            && scalar.kind.isKey();
        if (in instanceof SchemaType.Option && (type instanceof SchemaType.Option || type.is(Kind.ANY))) {
            fault(part.at, "an option holds no option and no any");
        } else if (!key && (in instanceof SchemaType.SetOf || in instanceof SchemaType.MapOf
            && part == outer.parts.get(0))) {
            fault(part.at, "not a key type");
        } else if (in instanceof SchemaType.Ref && !(type instanceof SchemaType.Struct)) {
            fault(part.at, "a ref holds a struct");
        } else if (in instanceof SchemaType.Union && !(type instanceof SchemaType.Struct)) {
            fault(part.at, "a union holds structs");
        } else if (!(in instanceof SchemaType.Union) && type instanceof SchemaType.Struct struct
            && struct.fields.isEmpty()) {
            fault(part.at, "a struct without fields stands only in a union");
        }
    }

    private void fault(int at, String what) {
        if (at < firstAt) {
            firstAt = at;
            first = tokens.fail(at, what);
        }
    }
}
