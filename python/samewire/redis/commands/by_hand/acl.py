"""Methods on the server's users that are written by hand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import listed
from samewire.redis.exceptions import DataError
from samewire.redis.typing import ChannelT, KeyT


def acl_cat(self: Executes, category: str | None = None, **kwargs: Any) -> Any:
    """Returns the categories of commands, or the commands of one (ACL CAT)."""
    return self.execute_command("ACL CAT", *((category,) if category else ()), **kwargs)


def acl_genpass(self: Executes, bits: int | None = None, **kwargs: Any) -> Any:
    """Returns a random password of so many bits, in hexadecimal digits (ACL GENPASS)."""
    if bits is None:
        return self.execute_command("ACL GENPASS", **kwargs)
    try:
        number = int(bits)
    except ValueError:
        number = -1
    if not 0 <= number <= 4096:
        raise DataError(f"bits must be 0 to 4096, not {bits!r}")
    return self.execute_command("ACL GENPASS", number, **kwargs)


def acl_log(self: Executes, count: int | None = None, **kwargs: Any) -> Any:
    """Returns the latest commands and passwords that were refused (ACL LOG)."""
    if count is not None and not isinstance(count, int):
        raise DataError(f"count must be an int, not {count!r}")
    return self.execute_command("ACL LOG", *(() if count is None else (count,)), **kwargs)


def _signed(rule: object, what: str) -> tuple[bytes, bytes]:
    """The sign of a rule and the rest of it."""
    said = _bytes(rule)
    if said[:1] not in (b"+", b"-"):
        raise DataError(f"{what} must begin with '+' or '-': {said.decode('utf-8', 'replace')!r}")
    return said[:1], said[1:]


def _bytes(rule: object) -> bytes:
    return (
        rule.encode()
        if isinstance(rule, str)
        else bytes(rule)
        if isinstance(rule, (bytes, bytearray, memoryview))
        else str(rule).encode()
    )


def _pattern(key: object) -> bytes:
    """A pattern of keys, with `~` before it unless it says itself what it allows."""
    said = _bytes(key)
    return said if said[:1] in (b"%", b"~") else b"~" + said


def _passwords(rules: str | Iterable[str] | None, what: str, add: bytes, remove: bytes) -> list[bytes]:
    """Passwords, where a secret is not shown in an error."""
    pieces = []
    for index, rule in enumerate(listed(rules) if rules else []):
        said = _bytes(rule)
        if said[:1] not in (b"+", b"-"):
            raise DataError(f"{what} {index} must begin with '+' (add) or '-' (remove)")
        pieces.append((add if said[:1] == b"+" else remove) + said[1:])
    return pieces


def _command(rule: object) -> bytes:
    sign, name = _signed(rule, "a command")
    return sign + name


def _category(rule: object) -> bytes:
    sign, name = _signed(rule, "a category")
    return sign + b"@" + name.removeprefix(b"@")


def acl_setuser(
    self: Executes,
    username: str,
    enabled: bool = False,
    nopass: bool = False,
    passwords: str | Iterable[str] | None = None,
    hashed_passwords: str | Iterable[str] | None = None,
    categories: Iterable[str] | None = None,
    commands: Iterable[str] | None = None,
    keys: Iterable[KeyT] | None = None,
    channels: Iterable[ChannelT] | None = None,
    selectors: Iterable[tuple[str, KeyT]] | None = None,
    reset: bool = False,
    reset_keys: bool = False,
    reset_channels: bool = False,
    reset_passwords: bool = False,
    **kwargs: Any,
) -> Any:
    """Makes or changes a user (ACL SETUSER).

    passwords, hashed_passwords, categories, commands: "+" before one adds it, "-" removes it.
    keys, channels: patterns that the user may use; a key may begin with "%R~" or "%W~".
    selectors: pairs of a command and a pattern of keys.
    """
    if nopass and (passwords or hashed_passwords):
        raise DataError("nopass=True excludes passwords and hashed_passwords")
    flags = {b"reset": reset, b"resetkeys": reset_keys, b"resetchannels": reset_channels, b"resetpass": reset_passwords}
    pieces: list[Any] = [username, *(word for word, wanted in flags.items() if wanted), b"on" if enabled else b"off"]
    pieces += _passwords(passwords, "password", b">", b"<")
    pieces += _passwords(hashed_passwords, "hashed password", b"#", b"!")
    if nopass:
        pieces.append(b"nopass")
    pieces += map(_category, categories or ())
    pieces += map(_command, commands or ())
    pieces += map(_pattern, keys or ())
    pieces += (b"&" + _bytes(channel) for channel in channels or ())
    pieces += (b"(%s %s)" % (_command(command), _pattern(key)) for command, key in selectors or ())
    return self.execute_command("ACL SETUSER", *pieces, **kwargs)
