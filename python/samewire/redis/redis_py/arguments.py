"""Small functions and flags that programs import from redis-py's `redis.utils` and `redis.commands.helpers`."""

from __future__ import annotations

import contextlib
import random
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from .. import from_url as from_url
from ..session.driver_info import SENTINEL as SENTINEL
from ..session.driver_info import library_version

#: Replies are parsed natively: hiredis is not used, whether or not it is there.
HIREDIS_AVAILABLE = False
SSL_AVAILABLE = True
CRYPTOGRAPHY_AVAILABLE = find_spec("cryptography") is not None

#: The version of RESP that a connection asks for when nobody names one.
DEFAULT_RESP_VERSION = 3


@contextlib.contextmanager
def pipeline(redis_obj: Any) -> Iterator[Any]:
    """A pipeline of a client that is executed when the block ends without an error."""
    pipe = redis_obj.pipeline()
    yield pipe
    pipe.execute()


def list_or_args(keys: Any, args: Iterable[Any] | None) -> list[Any]:
    """A new list of both: `keys` may be one value or an iterable of values."""
    if isinstance(keys, (str, bytes, bytearray, memoryview)) or not isinstance(keys, Iterable):
        keys = [keys]
    return [*keys, *(args or ())]


def str_if_bytes(value: Any) -> Any:
    """Bytes as text, with U+FFFD for what is not UTF-8; every other value as it is."""
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else value


def safe_str(value: Any) -> str:
    """Any value as text, bytes as UTF-8."""
    return str(str_if_bytes(value))


def nativestr(x: Any) -> Any:
    """Bytes as text; None for the text `null`, with which some modules mean no value."""
    text = str_if_bytes(x)
    return None if text == "null" else text


def delist(x: Iterable[Any] | None) -> list[Any] | None:
    """`nativestr` of each element."""
    return None if x is None else [nativestr(element) for element in x]


def ensure_string(key: Any) -> str:
    """Text as it is, bytes as UTF-8. Raises TypeError for every other value."""
    if isinstance(key, bytes):
        return key.decode()
    if isinstance(key, str):
        return key
    raise TypeError(f"string or bytes expected for a key, not {type(key).__name__}")


def dict_merge(*dicts: Mapping[str, Any]) -> dict[str, Any]:
    """One dict of all entries, later ones winning."""
    merged: dict[str, Any] = {}
    for entries in dicts:
        merged.update(entries)
    return merged


def list_keys_to_dict(key_list: Iterable[str], callback: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Returns a dict that maps each key to the callback."""
    return dict.fromkeys(key_list, callback)


def merge_result(command: str, res: Mapping[Any, Iterable[Any]]) -> list[Any]:
    """The distinct elements of several nodes' replies, in no order."""
    return list({element for reply in res.values() for element in reply})


def random_string(length: int = 10) -> str:
    """Random lower-case ASCII letters."""
    return "".join(random.choices(string.ascii_lowercase, k=length))


def get_lib_version() -> str:
    """The version that connections report to the server."""
    return library_version()


def get_protocol_version(client: Any) -> Any:
    """The version of RESP that a client's options ask for; None without one."""
    pool = getattr(client, "connection_pool", None) or client.nodes_manager
    return pool.connection_kwargs.get("protocol")


def check_protocol_version(protocol: Any, expected_version: int = 3) -> bool:
    """Whether a `protocol` keyword comes to a version; without one it is 3."""
    try:
        return int(DEFAULT_RESP_VERSION if protocol is None or type(protocol) is object else protocol) == expected_version
    except (TypeError, ValueError):
        return False


def compare_versions(version1: str, version2: str) -> int:
    """-1 if the first is newer, 0 if both are equal, 1 if the second is newer."""
    one, two = ([int(number) for number in version.split(".")] for version in (version1, version2))
    longest = max(len(one), len(two))
    one, two = ([*numbers, *[0] * (longest - len(numbers))] for numbers in (one, two))
    return (two > one) - (one > two)
