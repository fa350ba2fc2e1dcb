"""What the commands of all modules share: how they are sent, and how their replies are converted.

A method returns what its client's `execute_command` returns: a value, an awaitable, or the pipeline. So there is one
method for blocking and asyncio callers, pipelines and clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

#: Conversions of replies by the names of commands.
Conversions = Mapping[str, Callable[..., Any]]


class Table:
    """The conversions of a module's replies, as redis-py chooses them: by the protocol, and whether it was asked for.

    both: with any protocol.
    resp2, resp3: what is different if the program asked for that protocol (`protocol=`).
    resp2_unified, resp3_unified: the same with `legacy_responses=False`, where both protocols give equal values.
    unasked: what is different if the program did not ask: RESP3 is spoken, and values are those of RESP2.
    """

    def __init__(
        self,
        both: Conversions | None = None,
        resp2: Conversions | None = None,
        resp3: Conversions | None = None,
        resp2_unified: Conversions | None = None,
        resp3_unified: Conversions | None = None,
        unasked: Conversions | None = None,
    ) -> None:
        self.both = both or {}
        self.resp2 = resp2 or {}
        self.resp3 = resp3 or {}
        self.resp2_unified = self.resp2 if resp2_unified is None else resp2_unified
        self.resp3_unified = self.resp3 if resp3_unified is None else resp3_unified
        self.unasked = unasked or {}

    def chosen(self, protocol: Any, legacy_responses: bool) -> dict[str, Callable[..., Any]]:
        """The conversions for a client's `protocol` and `legacy_responses`."""
        if protocol is None:
            chosen = self.unasked if legacy_responses else self.resp3_unified
        elif str(protocol) == "3":
            chosen = self.resp3 if legacy_responses else self.resp3_unified
        else:
            chosen = self.resp2 if legacy_responses else self.resp2_unified
        return {**self.both, **chosen}


class Module:
    """The methods of a module for one client or pipeline, whose conversions it sets.

    client: sends the commands.
    """

    #: The class of the methods, which a pipeline of the module has besides its own.
    METHODS: ClassVar[type]
    #: The conversions.
    TABLE: Table

    def __init__(self, client: Any, version: Any = None) -> None:
        self.client = client
        self.execute_command: Callable[..., Any] = client.execute_command
        self.MODULE_VERSION = version
        # The pipeline of a cluster has its client's conversions.
        owner = getattr(client, "_placing", client)
        options = owner.get_connection_kwargs()
        for name, convert in self.TABLE.chosen(options.get("protocol"), options.get("legacy_responses", True)).items():
            owner.set_response_callback(name, convert)

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Any:
        """A pipeline of the client with this module's methods as its own. They hide the core commands of the same name."""
        pipe = self.client.pipeline(transaction, shard_hint)
        made = type(pipe)
        pipe.__class__ = type("Pipeline", (self.METHODS, made), {"__module__": type(self).__module__})
        return pipe


def native(value: Any) -> Any:
    """A text as str, and None for "null"; what is not a text as it is."""
    found = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    return None if isinstance(found, str) and found == "null" else found


def is_ok(reply: Any) -> Any:
    """True for OK; a null reply as it is."""
    return reply and native(reply) == "OK"


def is_true_ok(reply: Any, **_: Any) -> bool:
    """Whether a reply is OK."""
    return reply in (b"OK", "OK")


#: Texts that are numbers to Python, and stay texts.
WORDS = frozenset({"infinity", "nan", "-infinity"})


def numbers(reply: Any, **_: Any) -> list[Any]:
    """A list whose texts of numbers are int or float; other texts are str. Empty for null."""
    return [] if reply is None else [number(item) for item in reply]


def number(item: Any) -> Any:
    """A text of a number as int or float, any other as str, None for "null"; a float as it is."""
    if item is None or isinstance(item, float):
        return item
    found = native(item)
    if isinstance(found, str) and found.lower() in WORDS:
        return found
    for kind in (int, float):
        try:
            return kind(item)
        except (ValueError, OverflowError, TypeError):
            pass
    return found


def option(word: str, value: Any) -> list[Any]:
    """An option's word and value; nothing for None."""
    return [] if value is None else [word, value]


def as_list(reply: Any, **_: Any) -> Any:
    """RESP3's set as the list that RESP2 and redis-py have; its order says nothing."""
    return list(reply) if isinstance(reply, set) else reply
