"""What is known of a command before it is sent: its keys, whether it only reads, whether it waits.

The facts are the table's (spec/redis/commands.json) and, for commands of modules, those of modules/facts.py. A command is the
arguments of `execute_command`: the name comes first, in any case, as str or bytes, with its subcommand ("CONFIG GET") or before
it ("CONFIG", "GET").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samewire.redis.commands.facts import CONTAINERS, READONLY, REPEATABLE
from samewire.redis.commands.facts import FACTS as CORE
from samewire.redis.modules.facts import FACTS as OF_MODULES

#: Those of the server itself and of modules.
FACTS = {**CORE, **OF_MODULES}


class Facts:
    """What is known of one command, written in one way."""

    __slots__ = ("blocking", "known", "name", "places", "readonly", "repeatable", "request_policy", "response_policy", "single")

    def __init__(self, name: str, joined: bool) -> None:
        flags, blocking, places, (request, response) = FACTS.get(name, (0, "", (), ("", "")))
        #: The full name in capitals.
        self.name = name
        #: Whether the table has the command.
        self.known = name in FACTS
        #: Whether it only reads. What is not known may write.
        self.readonly = flags & READONLY != 0
        #: Whether it may be sent again although it may have run.
        self.repeatable = flags & REPEATABLE != 0
        #: "" if it never waits, "always", or the word that makes it wait.
        self.blocking = blocking
        #: How a cluster runs it, as in the tips of `COMMAND INFO`.
        self.request_policy = request
        self.response_policy = response
        # Positions are counted in words. A name of two words in one argument takes one word away.
        less = name.count(" ") if joined else 0
        self.places = tuple((place[0] - less, *place[1:]) if isinstance(place[0], int) else place for place in places)
        #: The position of the one key; 0 where there is none or more than one.
        first = self.places[0] if len(self.places) == 1 else ()
        self.single: int = first[0] if len(first) == 5 and isinstance(first[0], int) and first[1:3] == ("range", 0) else 0


#: Facts by the name of a command as it was written: its own, and other spellings that were seen.
KNOWN: dict[Any, Facts] = {name: Facts(name, True) for name in FACTS if name not in CONTAINERS}
_SPLIT: dict[str, Facts] = {}

#: Spellings that are remembered besides the names themselves.
_SPELLINGS = 2_000


def _word(value: Any) -> str:
    """An argument as a word in capitals."""
    if isinstance(value, str):
        return value.upper()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "replace").upper()
    return str(value).upper()


def _find(args: Sequence[Any]) -> Facts:
    """The facts of a command that is not written as its name."""
    name = _word(args[0])
    if name in CONTAINERS:
        full = f"{name} {_word(args[1])}" if len(args) > 1 else name
        if full not in FACTS:
            full = name
        found = _SPLIT.get(full)
        if found is None:
            found = _SPLIT[full] = Facts(full, False)
        return found
    known = KNOWN.get(name)
    if known is None:
        return Facts(name, True)
    if isinstance(args[0], (str, bytes)) and len(KNOWN) < _SPELLINGS:
        KNOWN[args[0]] = known
    return known


def facts(args: Sequence[Any]) -> Facts:
    """What is known of a command. Of one that the table does not have, nothing: `known` is False."""
    try:
        return KNOWN[args[0]]
    except (KeyError, TypeError):
        return _find(args)


def is_readonly(args: Sequence[Any]) -> bool:
    """Whether a command only reads, so that a replica may run it."""
    return facts(args).readonly


def may_repeat(args: Sequence[Any]) -> bool:
    """Whether a command may be sent again although it may have run: it only reads, or does again what was done."""
    found = facts(args)
    return found.repeatable and not (found.blocking and _from_now(found, args))


def _from_now(found: Facts, args: Sequence[Any]) -> bool:
    """Whether a command waits for what comes after the server has received it (`XREAD … $`). Sent again it would skip
    what came in between."""
    # The ID is behind the one key, or there are as many IDs behind the keys.
    at = found.single
    ids = args[at + 1 : at + 2] if at else args[len(args) - len(keys_of(args)) :]
    return any(_word(each) == "$" for each in ids)


def is_blocking(args: Sequence[Any]) -> bool:
    """Whether a command makes its connection wait for what others do."""
    word = facts(args).blocking
    return word == "always" or (word != "" and any(_word(given) == word for given in args[1 : _options_end(args)]))


def _options_end(args: Sequence[Any]) -> int:
    """Where the options of XREAD and XREADGROUP end."""
    for index in range(1, len(args)):
        if _word(args[index]) == "STREAMS":
            return index
    return len(args)


def keys_of(args: Sequence[Any]) -> Sequence[Any]:
    """The keys of a command, in its order; also the channel of SPUBLISH and SSUBSCRIBE, which hashes as keys do.

    Empty for a command that the table does not have: ask the server (`COMMAND GETKEYS`).
    """
    found = facts(args)
    if found.single:
        return args[found.single : found.single + 1]
    keys: list[Any] = []
    for place in found.places:
        if len(place) == 1:
            keys += _SPECIAL[place[0]](args)
        else:
            keys += _at(args, *place)
    return keys


def _at(args: Sequence[Any], start: Any, kind: str, first: int, second: int, third: int) -> Sequence[Any]:
    """Keys of one place: `start` is a position, or a word and where to look for it."""
    if not isinstance(start, int):
        start = _after(args, *start)
        if start == 0:
            return ()
    if kind == "keynum":
        at = start + first
        if at >= len(args):
            return ()
        try:
            count = int(args[at])
        except (TypeError, ValueError):
            return ()
        begin = start + second
        return args[begin : begin + count * third : third]
    last, step, limit = first, second, third
    if last >= 0:
        return args[start : start + last + 1 : step]
    end = len(args) + last + 1
    if limit > 1:
        end = start + (end - start) // limit
    return args[start:end:step]


def _after(args: Sequence[Any], word: str, start: int) -> int:
    """The position behind a word, which is looked for from `start`, or backwards from the end; 0 if it is not there."""
    positions = range(start, len(args)) if start >= 0 else range(len(args) + start, 0, -1)
    for index in positions:
        if isinstance(args[index], (str, bytes)) and _word(args[index]) == word:
            return index + 1
    return 0


def _sort_destination(args: Sequence[Any]) -> Sequence[Any]:
    """The key behind the last STORE of SORT."""
    found: Sequence[Any] = ()
    index = 2
    while index < len(args):
        word = _word(args[index])
        if word == "STORE":
            found = args[index + 1 : index + 2]
        index += {"LIMIT": 3, "STORE": 2, "BY": 2, "GET": 2}.get(word, 1)
    return found


def _stralgo(args: Sequence[Any]) -> Sequence[Any]:
    """The keys of STRALGO LCS KEYS a b."""
    return args[3:5] if len(args) > 4 and _word(args[2]) == "KEYS" else ()


def _migrate(args: Sequence[Any]) -> Sequence[Any]:
    """The key of MIGRATE, or those behind KEYS if it is empty."""
    key = args[3:4]
    if key and len(key[0]) == 0:
        begin = _after(args, "KEYS", -2)
        return args[begin:] if begin else ()
    return key


_SPECIAL = {"migrate": _migrate, "sort": _sort_destination, "stralgo": _stralgo}
