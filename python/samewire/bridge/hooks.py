"""What the extension asks of Python: classes of references, conversions of values, exceptions, documentation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from samewire._native import ClassInfo, Method, Object, Record, Session


class Hooks(Protocol):
    """One object for each session. The extension fetches each method once and keeps what it says."""

    def build_class(self, session: Session, info: ClassInfo, /) -> None:
        """A reference has a class that the session does not know: describes it by `session.adopt`."""

    def convert_type(self, kind: type, /) -> Callable[[Any], Any] | Record:
        """How arguments, results of callbacks and elements of exactly this class cross, if the extension does not know it.

        Asked once for a class. Returns a Record, or a function of the value; what that returns is converted instead of it: a
        Value, a Peer, an Object, or anything that the extension knows. Raises TypeError if values of the class cannot cross.
        """

    def decoder(self, kind: str, /) -> Callable[[bytes], Any]:
        """What reads messages of a pack schema. Asked once for each kind of result."""

    def thrown(self, thrown: Object | None, kind: str, code: str, message: str | None, trace: str, /) -> BaseException:
        """The exception to raise for a `throw` whose object is not an exception of this process."""

    def raised(self, error: BaseException, /) -> tuple[Object | None, str, str | None, str]:
        """What to throw for an exception that left a callback: the Java object it stands for, or None to pass a reference to
        `error`; then type, message, and traceback."""

    def document(self, method: Method, /) -> str:
        """`__doc__` of a method."""

    def signature(self, method: Method, /) -> Any:
        """`__signature__` of a method."""
