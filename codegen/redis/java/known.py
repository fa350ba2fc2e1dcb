"""Writes what Java knows of each command by its name: whether it only reads, where its keys are, how long it waits."""

from __future__ import annotations

import re
from typing import Any

from codegen.redis.facts import Option, keys, repeatable, taking
from codegen.redis.java.source import NAME, PACKAGE, wrapped
from codegen.redis.table import Table

#: Where commands say how long they wait: a position among their words, from the end if it is negative.
WAITS = {
    "BLMOVE": "seconds(-1)",
    "BLMOVEM": "seconds(5)",
    "BLMPOP": "seconds(1)",
    "BLPOP": "seconds(-1)",
    "BRPOP": "seconds(-1)",
    "BRPOPLPUSH": "seconds(-1)",
    "BZMPOP": "seconds(1)",
    "BZPOPMAX": "seconds(-1)",
    "BZPOPMIN": "seconds(-1)",
    "TS.READ": "block(3)",
    "WAIT": "millis(2)",
    "WAITAOF": "millis(3)",
    "XREAD": "block(1)",
    "XREADGROUP": "block(1)",
}

#: Commands after which a connection is another one, or replies otherwise: callers cannot share it with them.
CHANGING = frozenset(
    "SUBSCRIBE,PSUBSCRIBE,SSUBSCRIBE,UNSUBSCRIBE,PUNSUBSCRIBE,SUNSUBSCRIBE,MONITOR,SYNC,PSYNC,REPLCONF,MULTI,EXEC,DISCARD,WATCH,UNWATCH,"
    "SELECT,AUTH,HELLO,RESET,QUIT,CLIENT SETNAME,CLIENT TRACKING,CLIENT CACHING,CLIENT REPLY,CLIENT NO-EVICT,CLIENT NO-TOUCH,CLIENT CAPA,"
    "CLIENT IMPORT-SOURCE,READONLY,READWRITE,ASKING,SCRIPT DEBUG".split(",")
)

SPECIAL = {
    "sort": "SortDestination.SORT_DESTINATION",
    "migrate": "MigratedKeys.MIGRATED_KEYS",
    "stralgo": "SubsequenceKeys.SUBSEQUENCE_KEYS",
}


def place(spec: tuple[Any, ...]) -> str:
    """One place of keys, as facts.py has it."""
    if len(spec) == 1:
        return f"KeyPlace.{SPECIAL[spec[0]]}"
    start, kind, *rest = spec
    word = "" if isinstance(start, int) else f'"{start[0]}", {start[1]}, '
    if kind == "keynum":
        number, first, step = rest
        if word:
            raise SystemExit(f"java/known.py: a number of keys behind {start[0]} is new: add it to KeyPlace.java")
        return f"counted({start}, {number}, {first}, {step})"
    last, step, limit = rest
    if word:
        return f"after({word}{last}, {step}, {limit})"
    return f"key({start})" if last == 0 else f"keys({start}, {last}, {step})"


def taken(option: Option | None) -> str:
    """How a command takes, as taking.txt has it."""
    if option is None:
        return "always()"
    unless = "".join(f', "{word}"' for word in option.unless)
    return f'with("{option.word}", {option.start}{unless})'


def constant(name: str) -> str:
    """The name of a command's constant."""
    return re.sub(r"[ \-._]+", "_", name)


def known(table: Table) -> str:
    """The file KnownCommands.java."""
    again, takes = repeatable(table), taking(table)
    if gone := CHANGING - table.names:
        raise SystemExit(f"java/known.py: the table has no command {', '.join(sorted(gone))}")
    lines = []
    for name, row in table.rows.items():
        if ("blocking" in row["flags"]) != (name in WAITS):
            raise SystemExit(f"java/known.py: say in WAITS how long {name} waits, or that it does not")
        text = f'static final Facts {constant(name)} = known(Facts.named("{name}")'
        if "readonly" in row["flags"]:
            text += ".reads()"
        elif name in again:
            text += ".repeats()"
        if name in CHANGING:
            text += ".changes()"
        if places := keys(name, row):
            text += f".at({', '.join(map(place, places))})"
        if name in WAITS:
            text += f".waits(Wait.{WAITS[name]})"
        if name in takes:
            text += f".takes(Taking.{taken(takes[name])})"
        tips = dict(tip.split(":", 1) for tip in row["tips"] if ":" in tip)
        if tips:
            text += f'.policy("{tips.get("request_policy", "")}", "{tips.get("response_policy", "")}")'
        lines.append(wrapped(f"    {text});"))
    body = "\n".join(lines)
    return f"""{PACKAGE}import static {NAME}.KeyPlace.after;
import static {NAME}.KeyPlace.counted;
import static {NAME}.KeyPlace.key;
import static {NAME}.KeyPlace.keys;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is known of each command of the table. */
final class KnownCommands {{
    private static final Map<String, Facts> BY_NAME = new HashMap<>();
    /** The first words of names that have two. */
    private static final Set<String> CONTAINERS = new HashSet<>();

{body}

    private KnownCommands() {{ }}

    private static Facts known(Facts facts) {{
        BY_NAME.put(facts.name(), facts);
        int blank = facts.name().indexOf(' ');
        if (blank > 0) {{
            CONTAINERS.add(facts.name().substring(0, blank));
        }}
        return facts;
    }}

    /** What is known of a command; null if the table does not have it. */
    static Facts find(String name) {{
        return BY_NAME.get(name);
    }}

    /** What is known of all commands. */
    static Collection<Facts> all() {{
        return BY_NAME.values();
    }}

    /** Whether names of the table have this first word, and another one behind it. */
    static boolean isContainer(String name) {{
        return CONTAINERS.contains(name);
    }}
}}
"""
