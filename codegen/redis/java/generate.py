"""Writes the commands of Java's client from their forms and the table of commands."""

from __future__ import annotations

from pathlib import Path

from codegen.redis.files import write
from codegen.redis.java import builders, factories
from codegen.redis.java.arguments import BY_HAND, TIMES, TOKENS, expression, token
from codegen.redis.java.arguments import TYPES as ARGUMENTS
from codegen.redis.java.builders import imports
from codegen.redis.java.choices import Case, Choice, choices
from codegen.redis.java.forms import groups
from codegen.redis.java.known import constant, known
from codegen.redis.java.replies import texts
from codegen.redis.java.source import MARK, NAME, PACKAGE, javadoc, wrapped
from codegen.redis.java.tree import Value, camel
from codegen.redis.table import Table

#: Where its folder is below a root of sources.
FOLDER = Path(*NAME.split("."))


def enumeration(choice: Choice) -> str:
    """A choice of words."""
    cases = []
    for case in choice.cases:
        name = constant(case.token)
        cases.append(f'    /** {{@code {case.token}}} */\n    {name}("{case.token}")')
    body = ",\n".join(cases)
    says = "\n".join(javadoc([choice.says], [], ""))
    return f"""{PACKAGE}{says}
public enum {choice.name} {{
{body};

    final Token word;

    {choice.name}(String word) {{
        this.word = new Token(word);
    }}
}}
"""


TYPES = {"": "CharSequence", "i": "long"}


def sealed(choice: Choice) -> str:
    """A choice of words with arguments."""
    lines = javadoc([choice.says], [], "")
    lines += ["@CheckReturnValue", f"public final class {choice.name} {{"]
    for case in choice.cases:
        if not case.parameters:
            lines += [f"    /** {{@code {case.token}}} */"]
            lines += [f"    public static final {choice.name} {case.token} = new {choice.name}({token(case.token)});"]
    if not lines[-1].endswith("{"):
        lines.append("")
    lines += [
        "    final Object word;",
        "",
        f"    private {choice.name}(Object word) {{",
        "        this.word = word;",
        "    }",
        "",
    ]
    for case in choice.cases:
        if case.parameters:
            lines += factory(choice, case, False)
            if any(camel(piece.partition(":")[0]) in TIMES for piece in case.parameters):
                lines += factory(choice, case, True)
    if not any("password" in case.parameters for case in choice.cases):
        lines += ["    /** What is sent. */", "    @Override", "    public String toString() {"]
        lines += ["        return Words.shown(word);", "    }", ""]
    text = "\n".join([*lines[:-1], "}", ""])
    return PACKAGE + imports(text) + text


def factory(choice: Choice, case: Case, times: bool) -> list[str]:
    """The method that makes a case with arguments; times: of which numbers that are times are of a type of Java's."""
    declared, words = [], []
    for piece in case.pieces:
        if piece.isupper():
            words.append(token(piece))
            continue
        name, _, kind = piece.partition(":")
        name = camel(name)
        if times and name in TIMES:
            value = Value(*TIMES[name])
            declared.append(f"{ARGUMENTS[value.type]} {value.name}")
            words.append(expression(value))
            continue
        declared.append(f"{TYPES[kind]} {name}")
        words.append(name if kind == "i" else f"Words.text({name})")
    said = " ".join(piece.partition(":")[0] for piece in case.pieces)
    return [
        f"    /** Returns {{@code {said}}}. */",
        wrapped(f"    public static {choice.name} {case.method}({', '.join(declared)}) {{"),
        wrapped(f"        return new {choice.name}(new Object[] {{{', '.join(words)}}});"),
        "    }",
        "",
    ]


def tokens() -> str:
    """The words of all commands, encoded once."""
    for word in BY_HAND:
        token(word)
    lines = [f'    static final Token {name} = new Token("{text}");' for name, text in sorted(TOKENS.items())]
    body = "\n".join(lines)
    return f"{PACKAGE}/** The words of commands besides their names, encoded once. */\nfinal class Tokens {{\n{body}\n\n    private Tokens() {{ }}\n}}\n"


def written() -> dict[str, str]:
    """Every file by its name."""
    table, all_choices = Table(modules=True), choices()
    found = {"KnownCommands.java": known(table), "Texts.java": texts()}
    made: dict[str, builders.Builder] = {}
    for group in groups(table, all_choices):
        found[f"{group.title}.java"] = factories.source(group, table, made)
    for one in made.values():
        found[f"{one.name}.java"] = builders.source(one)
    for choice in all_choices.values():
        found[f"{choice.name}.java"] = enumeration(choice) if choice.is_enum else sealed(choice)
    return found | {"Tokens.java": tokens()}


def generate(out: Path) -> list[str]:
    """Makes a root of sources hold the commands' package. Returns the names of the files that it wrote or removed."""
    return write(out / FOLDER, written(), MARK)
