"""The gateway: one session with a JVM, and a program's access to it."""

from __future__ import annotations

import atexit
import os
import weakref
from functools import partial
from operator import index
from typing import TYPE_CHECKING, Any

from samewire._native import ClassInfo, Object, Session
from samewire.errors import SamewireError

from .building import build
from .causes import raised_with_causes
from .documentation import document, signature
from .errors import NoSuchName
from .exceptions import thrown
from .folder import remove_folder
from .java_class import ANNOTATION, INTERFACE, Described, JavaClass
from .operations import Operations
from .packages import Package, names_of
from .values import Values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .aio import AioNames
    from .batch import Calls
    from .implement import Implementation
    from .imports import Importable
    from .process import Process

#: Seconds that a launched JVM gets to exit after its input has ended.
_LEAVE = 5.0
#: Seconds that running callbacks get to return when the interpreter ends.
_LAST_CALLBACKS = 0.5

#: The most threads that `aio` may have.
_MOST_CALLS = 10_000


class Gateway:
    """A connection to a JVM. Made by `launch`, `connect` and `embed`; closed by `close()`, a `with`, or at exit.

    jvm: all packages and classes by name. `gateway.java.util` is `gateway.jvm.java.util`, for any package whose name is none of
        the gateway's own attributes.
    process: the JVM's process if it was launched, else None.
    session: the underlying native session.
    closed_at_exit: whether the interpreter's exit has closed it, not an earlier `close()`.

    Threads may share it: each thread's calls have a channel of their own, and callbacks run on the thread whose call they
    belong to. After `fork` the child cannot use it: calls raise SamewireError `misuse`.
    """

    def __init__(
        self,
        session: Session,
        process: Process | None = None,
        folder: str | None = None,
        records: Mapping[type, str] | None = None,
    ) -> None:
        self.session = session
        self.process = process
        self.operations = Operations(session)
        self.values = Values(self, records or {})
        self.jvm = Package(self, "")
        self.closed_at_exit = False
        self._folder = folder
        self._owner = os.getpid()
        self._classes: dict[str, Described] = {}
        session.on_class = self._on_class
        session.on_throw = thrown
        session.on_raise = partial(raised_with_causes, self)
        session.convert = self.values.convert
        session.decode = self.values.decode
        session.document = document
        session.signature = signature
        _open.add(self)

    # --- names -------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("jvm", "session"):
            raise AttributeError(name)
        found = getattr(self.jvm, name)
        if isinstance(found, Package):
            self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self.jvm)})

    def find_class(self, name: str) -> Any:
        """The Python class of a Java class, or None if it does not exist or the policy hides it."""
        known = self._classes.get(name)
        if known is None:
            for binary in names_of(name):
                info = self.session.describe(binary)
                if info is not None:
                    known = self._classes[name] = self._describe(info)
                    break
            else:
                return None
        return known.face

    def functional(self, name: str) -> str:
        """The name of an interface's only abstract method, or an empty text. Raises NoSuchName."""
        described: Described = self.class_named(name).__java__
        return described.functional

    def is_class(self, name: str) -> bool:
        """Whether a type of that name exists, and is not an interface."""
        found = self.find_class(name)
        return found is not None and found.__java__.form not in (INTERFACE, ANNOTATION)

    def class_named(self, name: str) -> Any:
        """The Python class of a Java class by its binary name. Raises NoSuchName."""
        found = self.find_class(name)
        if found is None:
            raise NoSuchName(f"no class {name!r} in the JVM, or its policy hides it; check the name and the class path")
        return found

    def _describe(self, info: ClassInfo) -> Described:
        """The class of a description: one for all threads that build it, but another for each class loader."""
        known = self._classes.get(info.name)
        if known is None or known.number != info.number:
            known = build(self, info)
            first = self._classes.setdefault(info.name, known)
            known = first if first.number == info.number else known
        self.session.classes.setdefault(info.number, known.proxy)
        return known

    def _on_class(self, info: ClassInfo) -> type[Object]:
        proxy: type[Object] = self._describe(info).proxy
        return proxy

    def importable(self, name: str = "gateway") -> Importable:
        """Lets import statements find the packages under a name: `from gateway.java.util import ArrayList`.

        This lasts until the gateway is closed, the returned object's `remove()` is called, or its `with` ends. Raises
        SamewireError `misuse` if a module of that name exists already.
        """
        from .imports import Importable

        made = Importable(name, self.jvm)
        self._importable = [*self.__dict__.get("_importable", ()), made]
        return made

    # --- objects -----------------------------------------------------------------------------------------------

    def new_array(self, component: Any, *lengths: int) -> Any:
        """A new Java array: of `gateway.jvm.int`, of a class, or, if several lengths are given, of arrays.

        component: a Java class, or its name.
        """
        name = component.__java__.name if isinstance(component, JavaClass) else component
        if not isinstance(name, str) or not lengths:
            raise TypeError("new_array(component, length, ...): a Java class or its name, and at least one length, are expected")
        return self.operations.new_array(name, [index(length) for length in lengths])

    def implement(self, target: Any, *interfaces: Any) -> Implementation:
        """Wraps a Python object that implements Java interfaces, to pass it to Java or to call their default methods.

        target: a callable, or an object with methods of the interfaces' names. interfaces: names, or classes; none if
        the class of `target` declares them.
        """
        from .implement import Implementation

        made = Implementation(self, target, interfaces)
        self.values.remember(target, made.interfaces)
        return made

    def reference(self, value: Any) -> Any:
        """A reference to a value as a Java object with Java's methods: a str is a String, a Decimal a BigDecimal, an int an
        Integer: `gateway.reference(Decimal("1.50")).setScale(1)`. These methods return Python's values.
        """
        return self.operations.reference(value)

    @property
    def entry_point(self) -> Any:
        """The object that the Java program set as its gateway's entry point, or None."""
        return self.operations.entry_point()

    def batch(self) -> Calls:
        """Sends this thread's calls in one message: `with gateway.batch() as b:`. Each call returns a future.

        The calls run at the end of the block, in order. In the same batch a future may be an argument or a receiver.
        Afterwards `future.result()` returns the call's result or raises its exception. An exception that leaves the
        block drops the batch.
        """
        from .batch import Calls

        return Calls(self.session)

    @property
    def aio(self) -> AioNames:
        """The gateway's names for asyncio: `await gateway.aio.java.lang.System.currentTimeMillis()`."""
        from .aio import Aio, AioNames

        if self._aio is None:
            self._aio = Aio(self, self.aio_calls)
        return AioNames(self._aio, ())

    @property
    def aio_calls(self) -> int:
        """The most calls of `aio` that wait at a time, each on a thread of Python and one of Java. Default: 32.

        Further calls are queued. It may be set at any time, and holds for calls that begin from then on.
        """
        from .aio import THREADS

        return THREADS if self._aio_calls is None else self._aio_calls

    @aio_calls.setter
    def aio_calls(self, calls: int) -> None:
        if calls not in range(1, _MOST_CALLS + 1):
            raise SamewireError("misuse", text=f"aio_calls={calls!r}: a number from 1 to {_MOST_CALLS} is expected")
        self._aio_calls = calls
        if self._aio is not None:
            self._aio.allow(calls)

    _aio: Any = None
    _aio_calls: int | None = None
    _importable: Any = ()

    # --- life --------------------------------------------------------------------------------------------------

    @property
    def timeout(self) -> float | None:
        """Seconds that a call may wait for its reply, None for no limit. A call that takes longer is interrupted in the JVM, and
        raises SamewireError `timeout`. For an embedded JVM setting it raises SamewireError `unsupported`."""
        return self.session.timeout

    @timeout.setter
    def timeout(self, seconds: float | None) -> None:
        self.session.timeout = seconds

    @property
    def closed(self) -> bool:
        """Whether the session has ended."""
        return self.session.closed

    @property
    def transport(self) -> str:
        """ "shared-memory", "unix", "tcp", "tls" or "in-process"."""
        return self.session.transport

    def statistics(self) -> dict[str, Any]:
        """Counters of this session: Python's, and, unless it is closed, the JVM's under "java"."""
        counts: dict[str, Any] = dict(self.session.statistics())
        if not self.closed:
            counts["java"] = self.operations.statistics()
        return counts

    def close(self) -> None:
        """Ends the session, and a launched JVM. Later calls and references raise SamewireError `closed`. Idempotent."""
        if os.getpid() != self._owner:
            _open.discard(self)
            return  # it is the parent's, which still uses it
        try:
            for made in self._importable:
                made.remove()
            if self._aio is not None:
                self._aio.close()
            self.session.close()
            if self.process is not None:
                self.process.end_input()
                self._await_end(self.process)
        finally:
            # The above was interrupted, and is not waited for again. If this is interrupted, too, the rest is left to
            # the exit, or to another `close`.
            self._discard()
        _open.discard(self)
        if self.process is not None:
            from .archives import write_behind

            write_behind(self.process.args)

    def _await_end(self, process: Process) -> None:
        try:
            process.wait(_LEAVE)
        except SamewireError:
            return  # it has ended

    def _discard(self) -> None:
        try:
            if self.process is not None:
                self.process.discard()
        finally:
            if self._folder is not None:
                remove_folder(self._folder)

    def __enter__(self) -> Gateway:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        process = self.__dict__.get("process")
        if process is not None and os.getpid() == self._owner:
            process.end_input()
            if self._folder is not None:
                remove_folder(self._folder)

    def __repr__(self) -> str:
        state = "closed" if self.closed else self.transport
        process = self.process
        return f"<Gateway, {state}{f', process {process.pid}' if process is not None else ''}>"


_open: weakref.WeakSet[Gateway] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for gateway in list(_open):
        close_at_exit(gateway)


def close_at_exit(gateway: Gateway) -> None:
    """Closes a gateway at the interpreter's exit."""
    gateway.closed_at_exit = True
    gateway.close()
    if gateway._owner == os.getpid():
        # Callbacks should end before the interpreter. One that takes longer is stopped in its Python code, like a
        # daemon thread.
        gateway.session.callbacks_ended(_LAST_CALLBACKS)


def leave_at_exit(gateway: Gateway) -> None:
    """Leaves closing a gateway at the interpreter's exit, by `close_at_exit`, to the caller."""
    _open.discard(gateway)
