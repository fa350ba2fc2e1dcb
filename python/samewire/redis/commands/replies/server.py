"""What a server tells of itself and its clients."""

from __future__ import annotations

from typing import Any

from .texts import named, pairs, text

_CLIENT_NUMBERS = frozenset(
    "id age idle db sub psub multi qbuf qbuf-free obl argv-mem oll omem tot-mem".split(),
)
_OBJECT_NUMBERS = ("refcount", "serializedlength", "lru", "lru_seconds_idle")


def _value(said: str) -> Any:
    """A field of INFO: a number, a text, a list of them, or a dict."""
    if "=" in said:
        fields: dict[str, Any] = {}
        for item in filter(None, said.split(",")):
            name, equals, value = item.rpartition("=")
            if equals:
                fields[name] = _value(value)
            else:
                fields[item] = True
        return fields
    if "," in said:
        return [_value(item) for item in said.split(",") if item]
    try:
        return float(said) if "." in said else int(said)
    except ValueError:
        return said


def info(reply: Any, **_: Any) -> dict[str, Any]:
    """INFO: its fields. Modules are a list; lines that are no fields are under `__raw__`."""
    found: dict[str, Any] = {}
    for line in text(reply).splitlines():
        if not line or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        if not colon:
            found.setdefault("__raw__", []).append(line)
        elif name == "module":
            found.setdefault("modules", []).append(_value(value))
        else:
            if name == "cmdstat_host":  # "host:" sends its header as a command, colon included.
                name, _, value = line.rpartition(":")
            found[name] = _value(value)
    return found


def client_info(reply: Any, **_: Any) -> dict[str, Any]:
    """CLIENT INFO: the fields of one client, with numbers where the server has them."""
    found: dict[str, Any] = {}
    for item in text(reply).split():
        name, _, value = item.partition("=")
        found[name] = int(value) if name in _CLIENT_NUMBERS else value
    return found


def clients(reply: Any, **_: Any) -> list[dict[str, str]]:
    """CLIENT LIST: the fields of each client as texts."""
    found = []
    for line in text(reply).splitlines():
        client: dict[str, str] = {}
        last = ""
        for item in line.split(" "):
            name, equals, value = item.partition("=")
            if equals:
                client[name] = value
                last = name
            elif last:  # A path of a unix socket may hold blanks.
                client[last] += " " + item
        if client:
            found.append(client)
    return found


def killed(reply: Any, **_: Any) -> Any:
    """CLIENT KILL: how many clients were killed; for one address True."""
    return reply if isinstance(reply, int) else text(reply) == "OK"


def tracking(reply: Any, **_: Any) -> dict[Any, Any]:
    """CLIENT TRACKINGINFO as a dict."""
    found = named(reply)
    for name in ("flags", "prefixes"):
        if name in found:
            found[name] = [text(one) for one in found[name]]
    return found


def tracking_flat(reply: Any, **_: Any) -> list[Any]:
    """CLIENT TRACKINGINFO as names and values in turn."""
    if isinstance(reply, dict):
        found: list[Any] = []
        for name, value in reply.items():
            found += (text(name), list(value) if isinstance(value, set) else value)
        return found
    return [text(one) for one in reply]


def config(reply: Any, **_: Any) -> dict[Any, Any]:
    """CONFIG GET: names and values as str."""
    return {text(name): text(value) for name, value in pairs(reply).items()}


def _memory(reply: Any, *, decode: bool) -> dict[Any, Any]:
    found = named(reply)
    if decode and isinstance(reply, list):
        found = {name: text(value) for name, value in found.items()}
    for name, value in found.items():
        if name.startswith("db.") and isinstance(value, (dict, list)):
            found[name] = _memory(value, decode=decode)
    return found


def memory_texts(reply: Any, **_: Any) -> dict[Any, Any]:
    """MEMORY STATS. What RESP2 sends as texts is str."""
    return _memory(reply, decode=True)


def memory(reply: Any, **_: Any) -> dict[Any, Any]:
    """MEMORY STATS. What RESP2 sends as texts stays as it is."""
    return _memory(reply, decode=False)


def debug_object(reply: Any, **_: Any) -> dict[str, Any]:
    """DEBUG OBJECT: its fields; `type` is what the object is."""
    found: dict[str, Any] = dict(item.partition(":")[::2] for item in f"type:{text(reply)}".split())
    for name in _OBJECT_NUMBERS:
        if name in found:
            found[name] = int(found[name])
    return found


def slow_commands(reply: Any, **_: Any) -> list[dict[str, Any]]:
    """SLOWLOG GET: a dict for each command, which is joined with blanks."""
    return [_slow_command(one) for one in reply]


def _slow_command(entry: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"id": entry[0], "start_time": int(entry[1]), "duration": int(entry[2])}
    rest = entry[3:]
    if not isinstance(rest[0], list):  # Redis Enterprise tells the complexity before the command.
        found["complexity"] = rest.pop(0)
    words = rest[0]
    found["command"] = " ".join(words) if words and isinstance(words[0], str) else b" ".join(words)
    if len(rest) >= 3:
        found["client_address"], found["client_name"] = rest[1:3]
    return found


def _command(entry: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": text(entry[0]),
        "arity": int(entry[1]),
        "flags": [text(one) for one in entry[2]],
        "first_key_pos": entry[3],
        "last_key_pos": entry[4],
        "step_count": entry[5],
    }
    if len(entry) > 6:
        found["acl_categories"] = [text(one) for one in entry[6]]
    if len(entry) > 9:
        found["tips"], found["key_specifications"], found["subcommands"] = entry[7:10]
    return found


def _of_a_subcommand(reply: Any) -> bool:
    """Whether a reply is that of COMMAND DOCS, LIST and the like, sent as words: it has no entries of commands."""
    return not isinstance(reply, list) or not all(one is None or isinstance(one, list) for one in reply)


def commands(reply: Any, **_: Any) -> Any:
    """COMMAND: a dict for each command, with flags and categories as lists. A subcommand's reply stays as it is."""
    if _of_a_subcommand(reply):
        return reply
    return {one["name"]: one for one in map(_command, filter(None, reply))}


def commands_sets(reply: Any, **_: Any) -> Any:
    """COMMAND: a dict for each command, with flags and categories as sets."""
    if _of_a_subcommand(reply):
        return reply
    found = commands(reply)
    for one in found.values():
        one["flags"] = set(one["flags"])
        if "acl_categories" in one:
            one["acl_categories"] = set(one["acl_categories"])
    return found


def commands_flag_sets(reply: Any, **_: Any) -> Any:
    """COMMAND: a dict for each command, with flags as a set and categories as the wire's texts."""
    if _of_a_subcommand(reply):
        return reply
    found = {}
    for entry in filter(None, reply):
        one = found[text(entry[0])] = _command(entry)
        one["flags"] = set(one["flags"])
        one["acl_categories"] = list(entry[6])
    return found


def hot_keys(reply: Any, **_: Any) -> list[dict[Any, Any]] | None:
    """HOTKEYS GET: a dict for each server that was asked; None if nothing was counted."""
    return None if reply is None else [pairs(one) for one in reply]


def pong(reply: Any, **_: Any) -> bool:
    """PING: whether the reply is PONG."""
    return bool(text(reply) == "PONG")


def subscriber_counts(reply: Any, **_: Any) -> list[tuple[Any, int]]:
    """PUBSUB NUMSUB: `[(channel, subscribers), …]`"""
    return list(pairs_in_turn(reply))


def pairs_in_turn(reply: Any) -> Any:
    """Keys and values of a list, or the items of a map."""
    return reply.items() if isinstance(reply, dict) else zip(reply[::2], reply[1::2], strict=False)


def modules(reply: Any, **_: Any) -> list[Any]:
    """MODULE LIST: a dict for each module, with keys as the wire has them."""
    return [pairs(one) for one in reply]
