"""Users of the server, and what they were refused."""

from __future__ import annotations

from typing import Any

from .server import client_info
from .texts import flat, named, pairs, text, texts


def _words(rules: Any) -> list[Any]:
    """Patterns: a list under old servers, else one text."""
    return rules if isinstance(rules, list) else str(text(rules)).split()


def user(reply: Any, **_: Any) -> dict[Any, Any] | None:
    """ACL GETUSER. Selectors are as the wire has them."""
    if reply is None:
        return None
    found = named(reply)
    found["flags"] = texts(found["flags"])
    found["passwords"] = texts(found["passwords"])
    rules = str(text(found["commands"])).split(" ")
    found["commands"] = [rule for rule in rules if "@" not in rule]
    found["categories"] = [rule for rule in rules if "@" in rule]
    found["keys"] = _words(found["keys"])
    if "channels" in found:
        found["channels"] = _words(found["channels"])
    if "selectors" in found:
        found["selectors"] = [
            {text(key): text(value) for key, value in one.items()} if isinstance(one, dict) else texts(one)
            for one in found["selectors"]
        ]
    found["enabled"] = "on" in found["flags"]
    return found


def user_flat(reply: Any, **_: Any) -> dict[Any, Any] | None:
    """ACL GETUSER, with each selector as names and values in turn."""
    found = user(reply)
    if found and "selectors" in found:
        found["selectors"] = [flat(one) for one in found["selectors"]]
    return found


def user_maps(reply: Any, **_: Any) -> dict[Any, Any] | None:
    """ACL GETUSER, with each selector as a dict."""
    found = user(reply)
    if found and "selectors" in found:
        found["selectors"] = [pairs(one) for one in found["selectors"]]
    return found


def _ok(reply: Any) -> bool:
    return bool(text(reply) == "OK")


def log_texts(reply: Any, **_: Any) -> Any:
    """ACL LOG: a dict of texts for each entry; after RESET whether that was done."""
    if not isinstance(reply, list):
        return _ok(reply)
    return [{text(key): text(value) for key, value in pairs(one).items()} for one in reply]


def log(reply: Any, **_: Any) -> Any:
    """ACL LOG: a dict for each entry, with the client's description as a dict; after RESET whether that was done."""
    if reply is None:
        return None
    found = log_texts(reply)
    if isinstance(found, list):
        for one in found:
            one["client-info"] = client_info(one.get("client-info", ""))
            one["age-seconds"] = float(one["age-seconds"])
    return found
