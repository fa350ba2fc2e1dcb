"""What a launched gateway lets Python reach."""

from __future__ import annotations

from collections.abc import Iterable

#: What exceptions and objects of allowed classes need, where not everything is allowed.
_BASIS = ("java.lang.Object", "java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException", "java.lang.Error")


class Policy:
    """The classes and members that a gateway allows and denies, by name.

    A name is that of a class, with those nested in it (`java.lang.Runtime`), of a package and all below it (`java.util` or
    `java.util.*`), of a member, in all classes that inherit it (`java.lang.System#exit`; `#new` for constructors), or `*`. The longest
    name that matches decides. What no name matches is allowed; but denied if anything is allowed by name. A name that cannot be one of
    these is refused as the gateway starts.

    A policy is not a sandbox. It judges the names and classes that this program reaches, not what the code does that is called: files and
    sockets stay open, and what a library on the class path does by itself (evaluate a script, load a class, start a process) no rule
    knows. It bounds neither memory nor time. Where the caller is not trusted, allow by name what is needed, and nothing that takes code.
    """

    __slots__ = ("allow", "deny")

    def __init__(self, allow: Iterable[str] = (), deny: Iterable[str] = ()) -> None:
        self.allow = tuple(allow)
        self.deny = tuple(deny)

    def arguments(self) -> list[str]:
        """The options of the gateway's program."""
        given = ["--deny", "*"] if self.allow else []
        for option, names in (("--allow", (*_BASIS, *self.allow) if self.allow else ()), ("--deny", self.deny)):
            for name in names:
                given += (option, name)
        return given

    def __repr__(self) -> str:
        return f"Policy(allow={list(self.allow)}, deny={list(self.deny)})"
