"""The policy of a launched gateway: the classes and members that Python may use."""

from __future__ import annotations

from collections.abc import Iterable

#: Allowed in addition to a program's own list: exceptions and objects of allowed classes need these.
_BASIS = ("java.lang.Object", "java.lang.Throwable", "java.lang.Exception", "java.lang.RuntimeException", "java.lang.Error")


class Policy:
    """The classes and members that a gateway allows and denies, by name.

    A name is that of a class, with those nested in it (`java.lang.Runtime`), of a package and all below it (`java.util`
    or `java.util.*`), of a member, in all classes that inherit it (`java.lang.System#exit`; `#new` for constructors),
    or `*`. The longest name that matches decides. A class that no name matches is allowed, unless `allow` has any
    names: then it is denied. A name of another form is refused when the gateway starts.

    A policy is not a sandbox. It checks the names and classes that this program uses, not what the called code does:
    files and sockets stay accessible, and a library on the class path may itself evaluate a script, load a class or
    start a process, which no rule sees. It limits neither memory nor time. If the caller is not trusted, allow only the
    needed names, and nothing that executes code.
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
