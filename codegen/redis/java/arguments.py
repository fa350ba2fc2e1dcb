"""The arguments of a form in Java: parameters, and the words that are made of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from codegen.redis.java.tree import Form, Option, Pairs, Piece, Special, Value, Word

#: Words of commands, by the names of their constants in Tokens.java. Filled while sources are written.
TOKENS: dict[str, str] = {}

#: Words that classes written by hand use.
BY_HAND = (
    "MAXLEN MINID LIMIT FROMMEMBER FROMLONLAT BYRADIUS BYBOX BYPOLYGON SLOTSRANGE NODE WEIGHTS GET SET "
    "INCRBY OVERFLOW TEXT NUMERIC TAG GEO GEOSHAPE VECTOR AS WEIGHT PHONETIC NOSTEM SEPARATOR "
    "CASESENSITIVE WITHSUFFIXTRIE NOINDEX INDEXMISSING INDEXEMPTY SORTABLE UNF FIELDS LEN FRAGS TAGS "
    "GROUPBY REDUCE APPLY FILTER SORTBY MAX LOAD BY "
    "SCORER YIELD_SCORE_AS KNN K EF_RUNTIME RANGE RADIUS EPSILON RRF CONSTANT LINEAR ALPHA BETA WINDOW"
).split()

SIGNS = {"": "NOTHING", "*": "GENERATED_ID"}

TEXT = "CharSequence"
MAP = "Map<? extends CharSequence, {}>"

#: Parameters with forms of their own: type, name, whether more may follow, and the words.
SPECIAL: dict[str, tuple[str, str, bool, str]] = {
    "keys": ("Collection<? extends CharSequence>", "keys", False, "Words.counted(Words.texts(keys))"),
    "aggregators": ("Collection<? extends CharSequence>", "aggregators", False, "Words.texts(aggregators)"),
    "scores": (MAP.format("Double"), "scores", False, "Words.scores(scores)"),
    "weights": (MAP.format("Double"), "weights", False, "Words.weights(weights)"),
    "places": (MAP.format("GeoPosition"), "places", False, "Words.places(places)"),
    "streams": (MAP.format("? extends CharSequence"), "streams", False, "Words.streams(streams)"),
    "elements": ("Map<Long, ? extends CharSequence>", "elements", False, "Words.elements(elements)"),
    "increments": (MAP.format("Long"), "increments", False, "Words.increments(increments)"),
    "labels": (MAP.format("? extends CharSequence"), "labels", False, 'Words.pairs(labels, "label")'),
    "samples": ("NewSample", "sample", True, "Words.each(one -> one.word, sample, more)"),
    "sketches": (MAP.format("Long"), "weights", False, "Words.wholeWeights(weights)"),
    "parameters": (
        MAP.format("? extends CharSequence"),
        "parameters",
        False,
        'Words.counted(Words.pairs(parameters, "parameter"))',
    ),
    "returned": ("ReturnedField", "field", True, "Words.countedDeep(Words.each(one -> one.word, field, more))"),
    "schema": ("IndexField", "field", True, "Words.each(one -> one.words, field, more)"),
    "documents": ("JsonValue", "value", True, "Words.each(one -> one.word, value, more)"),
    "ranges": ("IndexRange", "range", True, "Words.ranges(range, more)"),
    "migrations": ("SlotMigration", "migration", True, "Words.each(one -> one.word, migration, more)"),
    "predicates": ("ArrayPredicate", "predicate", True, "Words.each(one -> one.word, predicate, more)"),
    "metrics": ("HotkeysMetric", "metric", True, "Words.counted(Words.each(one -> one.word, metric, more))"),
}

TYPES = {
    "t": TEXT,
    "k": TEXT,
    "i": "long",
    "d": "double",
    "bit": "boolean",
    "on": "boolean",
    "yes": "boolean",
    "sec": "Duration",
    "ms": "Duration",
    "whole": "Duration",
    "at": "Instant",
    "atms": "Instant",
    "score": "ScoreBound",
    "lex": "LexBound",
}

#: Numbers that are times, by their names: such a method has an overload with a parameter of this name and type.
TIMES = {
    "seconds": ("time", "whole"),
    "idle": ("idle", "whole"),
    "milliseconds": ("time", "ms"),
    "unixTimeSeconds": ("at", "at"),
    "unixTimeMilliseconds": ("at", "atms"),
}


def as_time(value: Value) -> Value:
    """The same value as a time of Java's, if it is a number that is one."""
    if value.type != "i" or value.many or value.name not in TIMES:
        return value
    name, kind = TIMES[value.name]
    return replace(value, name=name, type=kind)


def token(text: str) -> str:
    """The constant of a word."""
    name = SIGNS.get(text) or text.replace(" ", "_").replace("-", "_")
    TOKENS[name] = text
    return f"Tokens.{name}"


def expression(value: Value) -> str:
    """One parameter as a word."""
    name = value.name
    match value.type:
        case "t" | "k":
            return f"Words.text({name})"
        case "i" | "d":
            return name
        case "bit":
            return f"{name} ? 1L : 0L"
        case "on":
            return f"{name} ? {token('ON')} : {token('OFF')}"
        case "yes":
            return f"{name} ? {token('YES')} : {token('NO')}"
        case "sec":
            return f"Words.seconds({name})"
        case "ms":
            return f"Words.millis({name})"
        case "whole":
            return f"Words.wholeSeconds({name})"
        case "at":
            return f"Words.unixSeconds({name})"
        case "atms":
            return f"Words.unixMillis({name})"
    return f"{name}.word"


@dataclass
class Arguments:
    """Parameters in the order of Java, what they are for in the order of the wire, and the slots of options."""

    parameters: list[str] = field(default_factory=list)
    last: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    slots: list[tuple[int, Option]] = field(default_factory=list)
    #: The words again, with a collection in place of the parameters that may be repeated; empty without such.
    collected: list[str] = field(default_factory=list)
    collection: str = ""

    def declared(self, collection: bool = False) -> str:
        """The parameters as source text."""
        last = [self.collection] if collection else self.last
        return ", ".join([*self.parameters, *last])

    def erased(self) -> str:
        """The types of the parameters, as a link of Javadoc has them."""
        found = []
        for parameter in [*self.parameters, *self.last]:
            kind = parameter.rsplit(" ", 1)[0]
            found.append(kind.split("<")[0])
        return ", ".join(found)

    def add(self, word: str, collected: str = "") -> None:
        self.words.append(word)
        self.collected.append(collected or word)


def many(value: Value, arguments: Arguments) -> None:
    """A parameter that may be repeated."""
    name = value.name
    kind = TYPES.get(value.type, value.type)
    if value.many == "*":
        arguments.last = [f"{kind}... {name}"]
        word = f"Words.texts({name})"
    else:
        arguments.last = [f"{kind} {name}, {kind}... more"]
        word = f"Words.{'texts' if kind == TEXT else 'numbers'}({name}, more)"
    collected = ""
    if kind == TEXT and value.many == "+":
        plural = name + ("es" if name.endswith("s") else "s") if not name.endswith("y") or name == "key" else name[:-1] + "ies"
        collected = f'Words.some({plural}, "{name}")'
        arguments.collection = f"Collection<? extends CharSequence> {plural}"
    if value.counted:
        word = f"Words.counted({word})"
        collected = collected and f"Words.counted({collected})"
    arguments.add(word, collected)


def of(pieces: list[Piece]) -> Arguments:
    """The arguments of a form."""
    found = Arguments()
    for piece in pieces:
        match piece:
            case Word():
                found.add(token(piece.text))
            case Option():
                found.slots.append((len(found.words), piece))
                found.add(token(piece.default) if piece.default else "null")
            case Pairs():
                what = "field" if piece.key in ("string", "field") else piece.key
                found.parameters.append(f"{MAP.format('? extends CharSequence')} {piece.name}")
                method = "countedPairs" if piece.counted else "pairs"
                found.add(f'Words.{method}({piece.name}, "{what}")')
            case Special():
                kind, name, repeated, word = SPECIAL[piece.name]
                if repeated:
                    found.last = [f"{kind} {name}, {kind}... more"]
                else:
                    found.parameters.append(f"{kind} {name}")
                found.add(word)
            case Value() if piece.many:
                many(piece, found)
            case Value():
                found.parameters.append(f"{TYPES.get(piece.type, piece.type)} {piece.name}")
                found.add(expression(piece))
    if not found.collection:
        found.collected = []
    while found.words and found.words[-1] == "null":
        found.words.pop()
        if found.collected:
            found.collected.pop()
    return found


def option_arguments(option: Option) -> Arguments:
    """The arguments of an option."""
    return of(list(option.pieces))


def command_words(form: Form) -> set[str]:
    """The literal words of a form, which tell it from others of its command."""
    return {piece.text for piece in form.pieces if isinstance(piece, Word)}
