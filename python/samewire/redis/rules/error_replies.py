"""Error replies as exceptions."""

from __future__ import annotations

from typing import Any

from .. import exceptions

#: The first word of an error reply, and what it is raised as. `ERR` and all others are ResponseError.
CLASSES: dict[str, type[Exception]] = {
    "ASK": exceptions.AskError,
    "CLUSTERDOWN": exceptions.ClusterDownError,
    "CROSSSLOT": exceptions.ClusterCrossSlotError,
    "EXECABORT": exceptions.ExecAbortError,
    "LOADING": exceptions.BusyLoadingError,
    "MASTERDOWN": exceptions.MasterDownError,
    "MOVED": exceptions.MovedError,
    "NOAUTH": exceptions.AuthenticationError,
    "NOPERM": exceptions.NoPermissionError,
    "NOSCRIPT": exceptions.NoScriptError,
    "OOM": exceptions.OutOfMemoryError,
    "READONLY": exceptions.ReadOnlyError,
    "TRYAGAIN": exceptions.TryAgainError,
    "WRONGPASS": exceptions.AuthenticationError,
}

#: Texts of `ERR` that have a class of their own.
TEXTS: dict[str, type[Exception]] = {
    "max number of clients reached": exceptions.ConnectionError,
    "invalid password": exceptions.AuthenticationError,
    "AUTH <password> called without any password configured": exceptions.AuthenticationError,
    "Client sent AUTH, but no password is set": exceptions.AuthenticationError,
    "Error loading the extension": exceptions.ModuleError,
    "Error unloading module": exceptions.ModuleError,
    "wrong number of arguments for 'auth' command": exceptions.AuthenticationWrongNumberOfArgsError,
}

#: What to do about NOAUTH.
NO_PASSWORD = " The client has none: pass password= (and username=), or redis://user:password@host in the URL"


def error_of(text: str) -> Exception:
    """The exception of an error reply. Its text lacks the first word where that is `ERR` or has a class of its own.

    NOAUTH says what to do besides.
    """
    word, _, rest = text.partition(" ")
    if word == "ERR":
        for start, known in TEXTS.items():
            if rest.startswith(start):
                return of_class(known, rest, word)
        return exceptions.ResponseError(rest, status_code=word)
    if word == "NOAUTH":
        rest += NO_PASSWORD
    found = CLASSES.get(word)
    return exceptions.ResponseError(text) if found is None else of_class(found, rest, word)


def of_class(found: Any, text: str, word: str) -> Exception:
    """The exception of a class that a program may have put in the place of another."""
    error: Exception = found(text)
    if isinstance(error, exceptions.RedisError):
        error.status_code = word
    return error
