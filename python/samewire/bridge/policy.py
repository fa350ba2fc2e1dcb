"""What a launched gateway lets its clients reach."""

from __future__ import annotations

from collections.abc import Iterable


class Policy:
    """Names of classes and packages that a gateway allows and denies; a package has those below it too.

    A class is admitted if no name in `deny` covers it, and, where `allow` is not empty, one in `allow` does. The more specific
    name wins. The JVM that one has launched oneself has no bounds by default.
    """

    __slots__ = ("allow", "deny")

    def __init__(self, allow: Iterable[str] = (), deny: Iterable[str] = ()) -> None:
        self.allow = tuple(allow)
        self.deny = tuple(deny)

    def arguments(self) -> list[str]:
        """The options of the gateway's program."""
        given: list[str] = []
        for option, names in (("--allow", self.allow), ("--deny", self.deny)):
            for name in names:
                given += (option, name)
        return given

    def __repr__(self) -> str:
        return f"Policy(allow={list(self.allow)}, deny={list(self.deny)})"
