"""Java's exceptions as exceptions of Python, in classes that mirror Java's tree."""

from __future__ import annotations

from collections import deque
from typing import Any

from samewire._native import Object, Throwable
from samewire.errors import SamewireError

from .errors import printable, refusal
from .java_class import Described, JavaClass

#: The most UTF-16 units that cross to Java: the first of a message, the last of a traceback.
_MOST_TEXT = 1 << 16

#: The most frames of a traceback that cross, from the innermost: an exception through nested callbacks is written at
#: each.
_MOST_FRAMES = 50

#: Classes of Java whose Python class is also one of Python's own, so that loops, `[]` and `except` do what they should.
ALSO: dict[str, type[Exception]] = {
    "java.lang.ArithmeticException": ArithmeticError,
    "java.lang.IllegalArgumentException": ValueError,
    "java.lang.IndexOutOfBoundsException": IndexError,
    "java.util.NoSuchElementException": LookupError,
}


class JavaError(Throwable, metaclass=JavaClass):
    """A Java exception. `java` is the object in the JVM, or None if the policy denies its class.

    The object's methods are attributes of the Python exception, too.

    The subclasses mirror Java's: `except gateway.java.io.IOException as e`. Calling a subclass constructs the Java
    exception; raised in a callback, it is thrown in Java as itself.
    """

    __java__: Described
    _noted: list[str]

    def __new__(cls, *arguments: Any) -> Any:
        described = cls.__dict__.get("__java__")
        if described is None and "__constructor__" in cls.__dict__:
            cls.__dict__["__constructor__"]()  # a class of the program's, which says so
        constructor = None if described is None else described.proxy.__dict__.get("__constructor__")
        if constructor is None:
            raise TypeError(f"{cls.__name__} cannot be constructed: no public constructor")
        return constructor(*arguments)

    def __init__(self, *_: Any) -> None:
        """Nothing to do: the exception is complete on arrival."""

    @property
    def message(self) -> str | None:
        """`getMessage()`."""
        try:
            return self._message
        except AttributeError:
            message: str | None = self.__java__.gateway.operations.message(self.java)
            return message

    @property
    def stack_trace(self) -> str:
        """The stack trace as Java prints it, with causes, but without the gateway's frames. A very long one is cut.

        Empty if the gateway is gone.
        """
        return self._trace("program_trace")

    @property
    def full_stack_trace(self) -> str:
        """The stack trace as Java prints it, with every frame."""
        return self._trace("stack_trace")

    def _trace(self, operation: str) -> str:
        if self.java is None:
            return ""
        try:
            return str(getattr(self.__java__.gateway.operations, operation)(self.java))
        except SamewireError:
            return ""

    @property
    def __cause__(self) -> BaseException | None:
        """The exception of `getCause()`; or of `raise ... from`."""
        own = _cause.__get__(self)
        if own is None and not self._cause_known:
            self._cause_known = True
            try:
                own = self.__java__.gateway.operations.cause(self.java)
            except SamewireError:
                own = None
            if isinstance(own, BaseException):
                _cause.__set__(self, own)
        return own if isinstance(own, BaseException) else None

    @__cause__.setter
    def __cause__(self, cause: BaseException | None) -> None:
        self._cause_known = True
        _cause.__set__(self, cause)

    @property
    def __notes__(self) -> list[str]:  # type: ignore[override]
        """The text below the message in a traceback: Java's stack trace with suppressed exceptions, without causes."""
        try:
            return self._noted
        except AttributeError:
            trace = self.stack_trace.strip()
            if self.__cause__ is not None:
                # Python prints the cause itself, with a trace of its own.
                trace = trace.partition("\nCaused by: ")[0]
            self._noted = [trace] if trace else []
            return self._noted

    @property
    def suppressed(self) -> list[BaseException]:
        """The exceptions of `getSuppressed()`."""
        return list(self.__java__.gateway.operations.suppressed(self.java))

    def __str__(self) -> str:
        try:
            return self.message or ""
        except SamewireError as error:
            return f"({error.code})"

    def __repr__(self) -> str:
        described = type(self).__dict__.get("__java__")
        return f"<{'Java exception' if described is None else described.name}: {self}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "java":
            raise AttributeError(name)
        return getattr(self.java, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.java)})

    def __reduce__(self) -> Any:
        raise TypeError(f"{self.__java__.name} is an object of a JVM: it cannot be pickled or copied")


#: Python's own descriptor of the cause.
_cause: Any = BaseException.__dict__["__cause__"]


def arrival(described: Described) -> Any:
    """Converts an arriving proxy of an exception to an instance of its Python class."""

    def arrive(proxy: Object, new: Any = Exception.__new__) -> JavaError:
        error: JavaError = new(described.face)
        error.java = proxy
        return error

    return arrive


def thrown(arrived: Any, kind: str, code: str, message: str | None, trace: str) -> BaseException:
    """The exception to raise for a throw. The extension itself raises those without a cause.

    trace: not empty if the exception has a cause.
    """
    if code:
        return refusal(code, message or "")
    known = type(type(arrived)) is JavaClass and isinstance(arrived, BaseException)
    if not known:
        return arrived if isinstance(arrived, BaseException) else _without_object(kind, message)
    if trace:
        # Read now: C code that prints an exception does not call the property.
        _ = arrived.__cause__
    arrived._message = message
    arrived._cause_known = True
    error: BaseException = arrived
    return error


def _without_object(kind: str, message: str | None) -> JavaError:
    """The exception for a throw without an object: the policy denies its class, or there was no memory for it."""
    error: JavaError = Exception.__new__(JavaError)
    error.java = None
    shown = printable(kind)
    error._message = shown if message is None else f"{shown}: {message}"
    error._cause_known = True
    error._noted = []
    return error


def own_cause(error: BaseException) -> BaseException | None:
    """The cause set by `raise ... from`, or, for a Java exception, the one that was read from Java."""
    cause: BaseException | None = _cause.__get__(error)
    return cause


def raised(error: BaseException) -> tuple[Object | None, str, str | None, str]:
    """The throw for an exception that leaves a callback: the Java exception itself, or type, message and traceback."""
    if isinstance(error, JavaError) and error.java is not None:
        return error.java, error.__java__.name, None, ""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    try:
        message = str(error)
    except Exception as fault:
        message = f"(its text raised {type(fault).__name__})"
    return None, name, message[:_MOST_TEXT], _traceback(error)[-_MOST_TEXT:]


def _traceback(error: BaseException) -> str:
    """The traceback as Python prints it.

    A traceback of more than _MOST_FRAMES most often comes from nested callbacks, and is written for each of them. So it
    omits the exception's context, and the marks below lines, for which Python parses the source: 500 nested callbacks
    that end in RecursionError take 3.4 instead of 6.5 s of CPU time.
    """
    from traceback import StackSummary, format_exception, format_exception_only

    places: deque[tuple[str, int, str, None]] = deque(maxlen=_MOST_FRAMES)
    entry = error.__traceback__
    more = False
    while entry is not None:
        more = len(places) == _MOST_FRAMES
        code = entry.tb_frame.f_code
        places.append((code.co_filename, entry.tb_lineno, code.co_name, None))
        entry = entry.tb_next
    if not more:
        return "".join(format_exception(error))
    stack = StackSummary.from_list(list(places)).format()
    return "".join(("Traceback (most recent call last):\n", *stack, *format_exception_only(error)))
