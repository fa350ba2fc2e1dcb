"""Writes the classes of commands with options."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from codegen.redis.java.arguments import as_time, of, option_arguments
from codegen.redis.java.choices import choices
from codegen.redis.java.replies import FIXED, SHAPES, Shape
from codegen.redis.java.source import PACKAGE, javadoc, wrapped
from codegen.redis.java.tree import Form, Option, Value, Word, capital, title

CHOICES = choices()

IMPORTS = {
    "Reply": "io.samewire.redis.resp",
    "ReplyReader": "io.samewire.redis.resp",
    "Duration": "java.time",
    "Instant": "java.time",
    "Collection": "java.util",
    "List": "java.util",
    "Map": "java.util",
    "Optional": "java.util",
    "OptionalDouble": "java.util",
    "OptionalLong": "java.util",
    "Set": "java.util",
}


def imports(text: str) -> str:
    """The imports that a source needs."""
    code = re.sub(r"/\*\*.*?\*/", "", text, flags=re.DOTALL)
    found = [f"import {package}.{name};" for name, package in IMPORTS.items() if re.search(rf"(?<![.\w]){name}\b", code)]
    return "\n".join(sorted(found)) + ("\n\n" if found else "")


@dataclass(frozen=True)
class Builder:
    """The class of a command with options. Forms that differ in their required arguments alone share one."""

    name: str
    command: str
    slots: tuple[tuple[int, Option], ...]
    reply: str

    @property
    def shape(self) -> Shape | None:
        return SHAPES.get(self.reply)

    @property
    def letters(self) -> str:
        """Its type variables with brackets; empty if it has none."""
        return f"<{self.shape.letters}>" if self.shape else ""

    @property
    def passed(self) -> str:
        """How its texts are read, as arguments of a constructor."""
        if self.shape is None:
            return ""
        return "keys, text, " if self.shape.letters == "K, V" else "text, "


def builder(form: Form, known: dict[str, Builder]) -> Builder | None:
    """The class of a form with options, which is added to those that are known; None for one without."""
    slots = tuple(of(form.pieces).slots)
    if not slots:
        return None
    name = capital(form.method) + "Command"
    words = " ".join(piece.text for piece in form.pieces if isinstance(piece, Word))
    made = Builder(name, form.command, slots, form.reply)
    if name in known and known[name] != made:
        made = Builder(capital(form.method) + title(words) + "Command", form.command, slots, form.reply)
        if not words:
            raise SystemExit(f"{form.where}: name the method: its options differ from those of {name}")
    known[made.name] = made
    return made


def sent(option: Option) -> str:
    """An option as the documentation of the commands writes it."""
    found = [piece.text if isinstance(piece, Word) else getattr(piece, "name", "") for piece in option.pieces]
    return " ".join(found)


def changed(option: Option, made: Builder, words: str) -> tuple[str, str]:
    """The type and the value that an option returns which changes the reply."""
    reply = option.reply.partition(":")[0]
    if reply in FIXED:
        fixed = FIXED[reply]
        return f"Command<{fixed.type}>", f"new FixedCommand<>(facts, {fixed.reading}, {words})"
    if reply == "any":
        return "UntypedCommand<Reply>", f"new UntypedCommand<>(facts, Replies::untyped, {words})"
    shape = SHAPES[reply]
    if made.shape is None:
        letters, texts = "String", "Text.STRING"
    elif made.shape.letters == shape.letters:
        letters, texts = shape.letters, made.passed.removesuffix(", ")
    elif shape.letters == "K, V":
        letters, texts = "V, String", "text, Text.STRING"
    else:
        letters, texts = "K", "keys"
    return f"Texts.{shape.name}<{letters}>", f"new Texts.{shape.name}<>(facts, {texts}, {words})"


def plain(name: str) -> str:
    """A name of Java as words."""
    return re.sub(r"[A-Z]", lambda found: " " + found.group().lower(), name)


def meaning(option: Option) -> str:
    """What a choice decides."""
    choice = CHOICES.get(getattr(option.pieces[0], "type", ""))
    return f": {choice.says[0].lower()}{choice.says[1:].rstrip('.')}" if choice else ""


def new(made: Builder) -> str:
    """The start of a call of the constructor."""
    return f"new {made.name}{'<>' if made.shape else ''}"


def method(slot: int, option: Option, made: Builder) -> list[str]:
    """The method of one option."""
    arguments = option_arguments(option)
    own = f"{made.name}{made.letters}"
    words = arguments.words
    word = words[0] if len(words) == 1 else f"new Object[] {{{', '.join(words)}}}"
    if len(words) == 1 and isinstance(option.pieces[0], Value) and option.pieces[0].many:
        word = f"(Object) {word}"
    says = f"{{@code {sent(option)}}}"
    if option.reply:
        kind, value = changed(option, made, f"Words.with(words, {slot}, {word})")
        text = option.reply.partition(": ")[2]
        lines = javadoc([f"With {says}: other options go before it.", f"The reply is {text}."], [])
    else:
        kind, value = own, f"with({slot}, {word})"
        if option.repeated:
            value = f"{new(made)}(facts, {made.passed}Words.append(words, {slot}, {word}))"
            lines = javadoc([f"With {says}, which may be given several times."], [])
        elif isinstance(option.pieces[0], Word):
            lines = javadoc([f"With {says}."], [])
        else:
            lines = javadoc([f"With this {plain(option.method)}{meaning(option)}."], [])
    lines.append(wrapped(f"    public {kind} {option.method}({arguments.declared()}) {{"))
    lines.append(wrapped(f"        return {value};"))
    lines += ["    }", ""]
    times = tuple(as_time(piece) if isinstance(piece, Value) else piece for piece in option.pieces)
    return lines + (method(slot, replace(option, pieces=times), made) if times != option.pieces else [])


def source(made: Builder) -> str:
    """The file of a class."""
    shape = made.shape
    untyped = made.reply == "any"
    kind = shape.type if shape else "Reply" if untyped else FIXED[made.reply].type
    own = f"{made.name}{made.letters}"
    lines = javadoc([f"{{@code {made.command}}} with its options. Each method returns another command."], [], "")
    lines += ["@CheckReturnValue", wrapped(f"public final class {own} extends Command<{kind}> {{")]
    two = bool(shape) and made.passed.startswith("keys")
    if shape:
        lines += ["    private final Text<K> keys;"] if two else []
        lines += ["    private final Text<V> text;", ""]
    given = "" if not shape else "Text<K> keys, Text<V> text, " if two else "Text<V> text, "
    lines += [f"    {made.name}(Facts facts, {given}Object... words) {{", "        super(facts, words);"]
    lines += (["        this.keys = keys;"] if two else []) + (["        this.text = text;"] if shape else [])
    lines += ["    }", ""]
    if any(not option.reply for _, option in made.slots):
        lines += [f"    private {own} with(int slot, Object word) {{"]
        lines += [f"        return {new(made)}(facts, {made.passed}Words.with(words, slot, word));", "    }", ""]
    for slot, option in made.slots:
        lines += method(slot, option, made)
    if shape:
        new_letters = "K, W" if two else "W"
        lines += ["    /** Returns the same command with other texts. */"]
        lines += [f"    public <W> {made.name}<{new_letters}> as(Text<W> text) {{"]
        lines += [f"        return {new(made)}(facts, {made.passed}words);", "    }", ""]
        if two:
            lines += ["    /** Returns the same command with other keys or fields, and other texts. */"]
            lines += [f"    public <L, W> {made.name}<L, W> as(Text<L> keys, Text<W> text) {{"]
            lines += [f"        return {new(made)}(facts, keys, text, words);", "    }", ""]
    if untyped:
        lines += ["    /** Returns the same command, whose reply is read so. */"]
        lines += ["    public <U> UntypedCommand<U> as(Reading<U> reading) {"]
        lines += ["        return new UntypedCommand<>(facts, reading, words);", "    }", ""]
    lines += ["    @Override", f"    public {kind} read(ReplyReader in) {{"]
    lines += [wrapped(f"        return {read(made)};"), "    }", "}", ""]
    text = "\n".join(lines)
    return f"{PACKAGE}{imports(text)}{text}"


def read(made: Builder) -> str:
    """The expression that reads the reply."""
    if made.shape:
        return made.shape.read
    if made.reply == "any":
        return "Replies.untyped(in)"
    reading = FIXED[made.reply].reading
    if reading.startswith("in -> "):
        return reading.removeprefix("in -> ")
    if "::" in reading:
        return reading.replace("::", ".") + "(in)"
    return f"{reading}.read(in)"
