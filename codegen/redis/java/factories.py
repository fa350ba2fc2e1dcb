"""Writes the factories of a group."""

from __future__ import annotations

from codegen.redis.java.arguments import Arguments, as_time, of
from codegen.redis.java.builders import Builder, builder, imports
from codegen.redis.java.forms import Group
from codegen.redis.java.known import constant
from codegen.redis.java.replies import FIXED, SHAPES, with_strings
from codegen.redis.java.source import PACKAGE, escaped, javadoc, wrapped
from codegen.redis.java.tree import Form, Value, capital
from codegen.redis.table import Table


def made(form: Form, own: Builder | None) -> tuple[str, str]:
    """The type that a factory returns, and the start of the call that makes it."""
    name = f"KnownCommands.{constant(form.command)}"
    if own:
        shape = own.shape
        if shape is None:
            return own.name, f"new {own.name}({name}"
        texts = "Text.STRING, Text.STRING" if shape.letters == "K, V" else "Text.STRING"
        return f"{own.name}<{with_strings(shape)}>", f"new {own.name}<>({name}, {texts}"
    if form.reply == "any":
        return "UntypedCommand<Reply>", f"new UntypedCommand<>({name}, Replies::untyped"
    if form.reply in FIXED:
        fixed = FIXED[form.reply]
        return f"Command<{fixed.type}>", f"new FixedCommand<>({name}, {fixed.reading}"
    shape = SHAPES[form.reply]
    texts = "Text.STRING, Text.STRING" if shape.letters == "K, V" else "Text.STRING"
    return f"Texts.{shape.name}<{with_strings(shape)}>", f"new Texts.{shape.name}<>({name}, {texts}"


def documentation(form: Form, table: Table) -> list[str]:
    """The comment of a factory, from what the table knows of its command."""
    row = table.rows[form.command]
    known = f"{{@code {form.command}}} since {row['since']}"
    if "complexity" in row:
        known += f"; {escaped(row['complexity']).rstrip('.')}"
    known += "."
    if "deprecated_since" in row:
        known += f" Deprecated since {row['deprecated_since']}: replaced by {escaped(row['replaced_by'])}.".replace("`", "")
    says = form.says or FIXED[form.reply].short
    return javadoc([escaped(table.summary(form.command)), known], [f"@return the command; its reply is {escaped(says)}"])


def body(kind: str, name: str, declared: str, call: str, words: list[str], own: Builder | None) -> list[str]:
    """One factory without its comment."""
    # A single array would be taken for all words, and options count on their places.
    if own and len(words) == 1 and words[0].startswith("Words.") and not words[0].startswith("Words.text("):
        words = [f"(Object) {words[0]}"]
    text = ", ".join([call, *words])
    return [
        wrapped(f"    public static {kind} {name}({declared}) {{"),
        wrapped(f"        return {text});"),
        "    }",
        "",
    ]


def factory(form: Form, table: Table, known: dict[str, Builder]) -> list[str]:
    """The factories of a form."""
    if form.by_hand:
        kind = capital(form.method) + "Command"
        lines = documentation_by_hand(form, table)
        call = f"new {kind}(KnownCommands.{constant(form.command)}"
        return [*lines, *body(kind, form.method, "CharSequence key", call, ["Words.text(key)"], None)]
    own = builder(form, known)
    arguments: Arguments = of(form.pieces)
    link = f"As {{@link #{form.method}({arguments.erased()})}}, with"
    lines = [*documentation(form, table), *overloads(form, own, arguments, link)]
    times = [as_time(piece) if isinstance(piece, Value) else piece for piece in form.pieces]
    if times != form.pieces:
        given = of(times)
        link += " an {@code Instant}" if "Instant" in given.erased() else " a {@code Duration}"
        lines += [*javadoc([f"{link}."], []), *overloads(form, own, given, f"{link} and")]
    return lines


def overloads(form: Form, own: Builder | None, arguments: Arguments, link: str) -> list[str]:
    """A factory without its comment, and the same with a collection."""
    kind, call = made(form, own)
    lines = body(kind, form.method, arguments.declared(), call, arguments.words, own)
    if arguments.collection:
        lines += javadoc([f"{link} a collection that is not empty."], [])
        lines += body(kind, form.method, arguments.declared(True), call, arguments.collected, own)
    return lines


def documentation_by_hand(form: Form, table: Table) -> list[str]:
    """The comment of a factory whose command is written by hand: its class says more."""
    return documentation(Form(form.command, form.method, [], "ok", "what its operations return", form.where), table)


def source(group: Group, table: Table, known: dict[str, Builder]) -> str:
    """The file of a group."""
    lines = [
        *javadoc([group.summary], [], ""),
        "@CheckReturnValue",
        f"public final class {group.title} {{",
        f"    private {group.title}() {{ }}",
        "",
    ]
    for form in group.forms:
        lines += factory(form, table, known)
    text = "\n".join([*lines[:-1], "}", ""])
    return f"{PACKAGE}{imports(text)}{text}"
