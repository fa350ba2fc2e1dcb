"""Errors of the bridge itself; those of Java programs are in `exceptions`."""

from __future__ import annotations

from samewire.errors import SamewireError


class NoSuchName(SamewireError, AttributeError, KeyError):
    """There is no class, package or member of that name, or the gateway's policy hides it."""

    def __init__(self, text: str) -> None:
        SamewireError.__init__(self, "misuse", text=text)


class NoOverload(SamewireError, TypeError):
    """The arguments fit no overload, or several equally well; the text has the signatures."""


def refusal(code: str, text: str) -> SamewireError:
    """The error for a call that the bridge refuses, not the program."""
    text = printable(text.removeprefix(f"{code}: "))
    return NoOverload(code, text=text) if code == "type_mismatch" else SamewireError(code, text=text)


def printable(text: str) -> str:
    """Escapes control characters in a gateway's text: they could forge lines of a log, or control a terminal."""
    if text.isprintable():
        return text
    from unicodedata import category

    return "".join(f"\\u{ord(one):04x}" if category(one) in ("Cc", "Cf", "Zl", "Zp") else one for one in text)
