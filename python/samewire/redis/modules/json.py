"""The JSON module (RedisJSON 1.0 to 2.6, part of Redis 8, and valkey-json): documents, and paths into them.

A path beginning with `$` may match several values: replies are then a list with one item for each, None where the value is of
another type. Any other path matches the first value, and the reply is that one's.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Iterable
from enum import Enum
from json import JSONDecodeError, JSONDecoder, JSONEncoder
from pathlib import Path as FilePath
from typing import Any, Literal

from samewire.redis.commands.values import exclusive
from samewire.redis.exceptions import DataError

from .json_path import Path
from .module import Module, Table, is_ok, native

__all__ = ["JSON", "AsyncJSON", "FPHAType", "JSONCommands", "Path"]

ROOT = Path.root_path()


class FPHAType(str, Enum):  # noqa: UP042  (redis-py's bases)
    """How a homogeneous array of floating-point numbers is kept."""

    BF16 = "BF16"
    FP16 = "FP16"
    FP32 = "FP32"
    FP64 = "FP64"

    @classmethod
    def from_value(cls, value: FPHAType | str) -> FPHAType:
        """The member of a name in any case. Raises DataError for another."""
        try:
            return cls(value.upper())
        except ValueError:
            raise DataError(f"expected one of {', '.join(cls.__members__)} for fpha, not {value!r}") from None


def text_keys(document: Any) -> Any:
    """A dictionary with str for its keys of bytes, which come last."""
    texts = {key: value for key, value in document.items() if not isinstance(key, bytes)}
    return {**texts, **{key.decode(): value for key, value in document.items() if isinstance(key, bytes)}}


class JSONCommands:
    """The commands as methods. name: the document's key. path: text or `Path`."""

    execute_command: Callable[..., Any]
    _encode: Callable[[Any], str]

    def arrappend(self, name: Any, path: Any = ROOT, *args: Any) -> Any:
        """JSON.ARRAPPEND (since 1.0): appends values to an array; returns its new length."""
        return self.execute_command("JSON.ARRAPPEND", name, str(path), *map(self._encode, args))

    def arrindex(self, name: Any, path: Any, scalar: Any, start: int | None = None, stop: int | None = None) -> Any:
        """JSON.ARRINDEX (since 1.0): the position of the first equal value in an array, -1 if there is none.

        start, stop: where it is looked for, `stop` excluded. `stop` counts only with `start`.
        """
        bounds = () if start is None else (start,) if stop is None else (start, stop)
        return self.execute_command("JSON.ARRINDEX", name, str(path), self._encode(scalar), *bounds)

    def arrinsert(self, name: Any, path: Any, index: int, *args: Any) -> Any:
        """JSON.ARRINSERT (since 1.0): inserts values into an array before a position; returns its new length."""
        return self.execute_command("JSON.ARRINSERT", name, str(path), index, *map(self._encode, args))

    def arrlen(self, name: Any, path: Any = ROOT) -> Any:
        """JSON.ARRLEN (since 1.0): the length of an array."""
        return self.execute_command("JSON.ARRLEN", name, str(path))

    def arrpop(self, name: Any, path: Any = ROOT, index: int | None = -1) -> Any:
        """JSON.ARRPOP (since 1.0): removes the value at a position of an array, and returns it."""
        return self.execute_command("JSON.ARRPOP", name, str(path), index)

    def arrtrim(self, name: Any, path: Any, start: int, stop: int) -> Any:
        """JSON.ARRTRIM (since 1.0): keeps the values from `start` to `stop`, both included; returns the new length."""
        return self.execute_command("JSON.ARRTRIM", name, str(path), start, stop)

    def type(self, name: Any, path: Any = ROOT) -> Any:
        """JSON.TYPE (since 1.0): the type of a value: "object", "array", "string", "integer", "number", "boolean", "null"."""
        return self.execute_command("JSON.TYPE", name, str(path))

    def resp(self, name: Any, path: Any = ROOT) -> Any:
        """JSON.RESP (since 1.0): a value in the types of the protocol; an object is a list of "{", keys and values."""
        return self.execute_command("JSON.RESP", name, str(path))

    def objkeys(self, name: Any, path: Any = ROOT) -> Any:
        """JSON.OBJKEYS (since 1.0): the keys of an object."""
        return self.execute_command("JSON.OBJKEYS", name, str(path))

    def objlen(self, name: Any, path: Any = ROOT) -> Any:
        """JSON.OBJLEN (since 1.0): the number of an object's keys."""
        return self.execute_command("JSON.OBJLEN", name, str(path))

    def numincrby(self, name: Any, path: Any, number: Any) -> Any:
        """JSON.NUMINCRBY (since 1.0): adds to a number; returns the sum."""
        path = str(path)
        return self.execute_command("JSON.NUMINCRBY", name, path, self._encode(number), _json_path=path)

    def nummultby(self, name: Any, path: Any, number: Any) -> Any:
        """JSON.NUMMULTBY (since 1.0, deprecated since 2.0): multiplies a number; returns the product."""
        path = str(path)
        return self.execute_command("JSON.NUMMULTBY", name, path, self._encode(number), _json_path=path)

    def clear(self, name: Any, path: Any = ROOT) -> Any:
        """JSON.CLEAR (since 2.0): empties arrays and objects, sets numbers to 0; returns how many values were changed."""
        return self.execute_command("JSON.CLEAR", name, str(path))

    def delete(self, key: Any, path: Any = ROOT) -> Any:
        """JSON.DEL (since 1.0): removes values; returns how many. The root's path removes the key."""
        return self.execute_command("JSON.DEL", key, str(path))

    forget = delete

    def get(self, name: Any, *args: Any, no_escape: bool | None = False) -> Any:
        """JSON.GET (since 1.0): the document, or the values at paths: with several an object of each path's values.

        no_escape: characters beyond ASCII are sent as they are (before 2.0).
        """
        words = ["noescape"] if no_escape else []
        return self.execute_command("JSON.GET", name, *words, *(map(str, args) if args else (ROOT,)))

    def mget(self, keys: Iterable[Any], path: Any) -> Any:
        """JSON.MGET (since 1.0): the values at one path of several documents, None for keys that are not there."""
        return self.execute_command("JSON.MGET", *keys, str(path))

    def set(
        self,
        name: Any,
        path: Any,
        obj: Any,
        nx: bool | None = False,
        xx: bool | None = False,
        decode_keys: bool | None = False,
        fpha: FPHAType | str | None = None,
    ) -> Any:
        """JSON.SET (since 1.0): sets the value at a path; returns True, or None if `nx` or `xx` forbade it.

        nx: only if nothing is there. xx: only if something is.
        decode_keys: keys of `obj` that are bytes become str.
        fpha: how arrays of floating-point numbers are kept (Redis 8.4).

        Raises DataError for both of `nx` and `xx`, and for an unknown `fpha`.
        """
        if nx and xx:
            raise exclusive("nx", "xx")
        words = ["NX"] if nx else ["XX"] if xx else []
        if fpha is not None:
            words += ["FPHA", FPHAType.from_value(fpha).value]
        document = self._encode(text_keys(obj) if decode_keys else obj)
        return self.execute_command("JSON.SET", name, str(path), document, *words)

    def mset(self, triplets: Iterable[tuple[Any, Any, Any]]) -> Any:
        """JSON.MSET (since 2.6): sets values, each given as key, path and value; returns True."""
        words = [word for key, path, value in triplets for word in (key, str(path), self._encode(value))]
        return self.execute_command("JSON.MSET", *words)

    def merge(self, name: Any, path: Any, obj: Any, decode_keys: bool | None = False) -> Any:
        """JSON.MERGE (since 2.6): merges a value into the one at a path (RFC 7396); returns True.

        decode_keys: keys of `obj` that are bytes become str.
        """
        return self.execute_command("JSON.MERGE", name, str(path), self._encode(text_keys(obj) if decode_keys else obj))

    def set_file(
        self,
        name: Any,
        path: Any,
        file_name: str,
        nx: bool | None = False,
        xx: bool | None = False,
        decode_keys: bool | None = False,
        fpha: FPHAType | str | None = None,
    ) -> Any:
        """Sets a value from a file of JSON, as `set`."""
        return self.set(name, path, document_of(file_name), nx=nx, xx=xx, decode_keys=decode_keys, fpha=fpha)

    def set_path(
        self,
        json_path: Any,
        root_folder: str,
        nx: bool | None = False,
        xx: bool | None = False,
        decode_keys: bool | None = False,
        fpha: FPHAType | str | None = None,
    ) -> Any:
        """Sets the documents of a folder's files, their folders included: the key is the file's path up to its first dot.

        Returns for each file whether it was JSON, by its path.
        """
        done = {}
        for file in files_of(root_folder):
            try:
                self.set_file(key_of(file), json_path, file, nx=nx, xx=xx, decode_keys=decode_keys, fpha=fpha)
                done[file] = True
            except JSONDecodeError:
                done[file] = False
        return done

    def strlen(self, name: Any, path: Any = None) -> Any:
        """JSON.STRLEN (since 1.0): the length of a string."""
        return self.execute_command("JSON.STRLEN", name, *(() if path is None else (str(path),)))

    def toggle(self, name: Any, path: Any = ROOT) -> Any:
        """JSON.TOGGLE (since 2.0): makes true of false and false of true; returns the new value."""
        return self.execute_command("JSON.TOGGLE", name, str(path))

    def strappend(self, name: Any, value: str, path: Any = ROOT) -> Any:
        """JSON.STRAPPEND (since 1.0): appends to a string; returns its new length."""
        return self.execute_command("JSON.STRAPPEND", name, str(path), self._encode(value))

    def debug(self, subcommand: Literal["MEMORY", "HELP"], key: Any = None, path: Any = ROOT) -> Any:
        """JSON.DEBUG (since 1.0): MEMORY for the bytes that a value takes, HELP for texts.

        Raises DataError for another subcommand, and for MEMORY without a key.
        """
        if subcommand not in ("MEMORY", "HELP"):
            raise DataError(f"expected MEMORY or HELP for subcommand, not {subcommand!r}")
        if subcommand == "HELP":
            return self.execute_command("JSON.DEBUG", "HELP")
        if key is None:
            raise DataError("JSON.DEBUG MEMORY needs a key: pass key=")
        return self.execute_command("JSON.DEBUG", "MEMORY", key, str(path))

    # Names of an older library, which redis-py still has.
    jsonget = get
    jsonmget = mget
    jsonset = set  # noqa: A003


def document_of(file_name: str) -> Any:
    """The document of a file."""
    return json.loads(FilePath(file_name).read_text())


def files_of(folder: str) -> list[str]:
    """The files of a folder and the folders in it."""
    return [str(FilePath(root, file)) for root, _, files in os.walk(folder) for file in files]


def key_of(file: str) -> str:
    """The key of a file's document."""
    return file.split(".", 1)[0]


class JSON(Module, JSONCommands):
    """`client.json()`: documents. The class's name is redis-py's.

    decoder, encoder: of `json`, or with their methods `decode` and `encode`.
    """

    METHODS = JSONCommands

    def __init__(
        self, client: Any, version: Any = None, decoder: JSONDecoder | None = None, encoder: JSONEncoder | None = None
    ) -> None:
        self._read: Callable[[Any], Any] = (decoder or JSONDecoder()).decode
        self._encode = (encoder or JSONEncoder()).encode
        self.TABLE = self._table()
        super().__init__(client, version)

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Any:
        """A pipeline with the methods of documents as its own: they hide the core commands of the same name."""
        pipe = super().pipeline(transaction, shard_hint)
        pipe._encode = self._encode
        return pipe

    def _table(self) -> Table:
        decode = self._decoded
        decoded = (
            "ARRAPPEND ARRINDEX ARRINSERT ARRLEN ARRTRIM GET OBJKEYS STRAPPEND OBJLEN STRLEN TOGGLE NUMINCRBY NUMMULTBY"
        ).split()
        counts = {f"JSON.{name}": int for name in ("CLEAR", "DEL", "FORGET")}
        numbers = ("JSON.NUMINCRBY", "JSON.NUMMULTBY")
        return Table(
            both={
                **{f"JSON.{name}": decode for name in ("ARRPOP", "DEBUG", "GET", "RESP", "TOGGLE")},
                **{f"JSON.{name}": is_ok for name in ("MERGE", "MSET", "SET")},
                "JSON.MGET": lambda reply: [decode(item) for item in reply],
            },
            resp2={**{f"JSON.{name}": decode for name in decoded}, **counts},
            resp2_unified={
                **counts,
                **dict.fromkeys(numbers, self._numbers),
                "JSON.RESP": lambda reply: parsed_floats(decode(reply)),
                "JSON.TYPE": lambda reply: None if reply is None else [reply],
            },
            resp3_unified={"JSON.TYPE": lambda reply: None if reply == [None] else reply},
            unasked={
                **dict.fromkeys(numbers, self._number),
                "JSON.OBJKEYS": decode,
                "JSON.RESP": lambda reply: float_texts(decode(reply)),
                "JSON.TYPE": lambda reply: reply[0] if isinstance(reply, list) and len(reply) == 1 else reply,
            },
        )

    def _decoded(self, reply: Any, **_: Any) -> Any:
        """A reply that may be JSON: its value; a list with its texts as str; a number or a text that is not JSON as it is."""
        if isinstance(reply, bytes):
            return self._read(reply.decode())
        if isinstance(reply, str):
            try:
                found = self._read(reply)
            except JSONDecodeError:
                return plain(reply)
            # redis-py's: null is the text "null" where replies are decoded, so that it is told from a missing value.
            return reply if found is None else found
        return [native(item) for item in reply] if isinstance(reply, list) else reply

    def _numbers(self, reply: Any, **_: Any) -> Any:
        """RESP2's JSON of NUMINCRBY as the list of RESP3."""
        if not isinstance(reply, (str, bytes)):
            return reply
        try:
            found = self._read(reply if isinstance(reply, str) else reply.decode())
        except JSONDecodeError:
            return reply
        return found if isinstance(found, list) else [found]

    def _number(self, reply: Any, _json_path: Any = None) -> Any:
        """RESP3's list of NUMINCRBY as RESP2's number, unless the path may match several values."""
        found = self._decoded(reply)
        single = isinstance(_json_path, str) and not _json_path.startswith("$")
        return found[0] if single and isinstance(found, list) and len(found) == 1 else found


class AsyncJSON(JSON):
    """`client.json()` of an asyncio client. Files are read in a thread."""

    async def set_file(self, name: Any, path: Any, file_name: str, *args: Any, **options: Any) -> Any:
        """Sets a value from a file of JSON, as `set`."""
        return await self.set(name, path, await asyncio.to_thread(document_of, file_name), *args, **options)

    async def set_path(self, json_path: Any, root_folder: str, *args: Any, **options: Any) -> dict[str, bool]:
        """Sets the documents of a folder's files, their folders included: the key is the file's path up to its first dot.

        Returns for each file whether it was JSON, by its path.
        """
        done = {}
        for file in await asyncio.to_thread(files_of, root_folder):
            try:
                await self.set_file(key_of(file), json_path, file, *args, **options)
                done[file] = True
            except JSONDecodeError:
                done[file] = False
        return done


def plain(text: str) -> Any:
    """A text of digits, leading zeros among them, as a number; any other as it is."""
    if re.fullmatch(r"\d+\.\d+", text):
        return float(text)
    return int(text) if re.fullmatch(r"\d+", text) else text


def parsed_floats(value: Any) -> Any:
    """Texts of numbers, in lists too, as floats."""
    if isinstance(value, list):
        return [parsed_floats(item) for item in value]
    if isinstance(value, (str, bytes)):
        try:
            return float(value.decode() if isinstance(value, bytes) else value)
        except ValueError:
            return value
    return value


def float_texts(value: Any) -> Any:
    """Floats, in lists too, as texts."""
    if isinstance(value, list):
        return [float_texts(item) for item in value]
    return str(value) if isinstance(value, float) else value
