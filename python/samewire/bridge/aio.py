"""The gateway's names for asyncio: calls are awaited, and run on threads, each with a channel of its own."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import thread as executor_thread
from contextlib import suppress
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from samewire.errors import SamewireError

from .exceptions import JavaError
from .java_class import JavaClass
from .java_object import JavaObject
from .packages import Package

if TYPE_CHECKING:
    from samewire._native import Session

    from .parts import Parts

_T = TypeVar("_T")

#: The most calls that wait for the JVM at a time, unless `Gateway.aio_calls` is set; further ones are queued.
THREADS = 32

#: Elements that an `async for` takes from a thread at a time.
_CHUNK = 1024


class Aio:
    """The threads that wait for the JVM on behalf of event loops."""

    def __init__(self, gateway: Parts, calls: int) -> None:
        self.gateway = gateway
        self._owner = os.getpid()
        self._threads = ThreadPoolExecutor(calls, "samewire-bridge")

    def allow(self, calls: int) -> None:
        """Sets the most calls that wait at a time. Calls that are queued already stay with the previous threads."""
        before, self._threads = self._threads, ThreadPoolExecutor(calls, "samewire-bridge")
        before.shutdown(wait=False)

    async def run(self, call: Callable[[], _T]) -> _T:
        """Runs a blocking call on a thread. If the task is cancelled, the call is interrupted in the JVM.

        Raises SamewireError `closed` if the gateway is closed before the call begins, or while it runs; `misuse` after `fork`.
        """
        if os.getpid() != self._owner:
            # The threads are the parent's: the call would never run.
            text = "the gateway was opened by the process that this one was forked from: open another after the fork"
            raise SamewireError("misuse", text=text)
        made = _Call(self.gateway.session, call)
        try:
            future = asyncio.get_running_loop().run_in_executor(self._threads, made.run)
        except RuntimeError:  # the threads take no more
            raise SamewireError("closed", text="the gateway is closed: open another") from None
        try:
            returned: _T = await future
        except asyncio.CancelledError:
            made.cancel()
            raise
        return returned

    async def completed(self, stage: Any) -> Any:
        """Awaits a CompletionStage without a thread; returns or raises. Cancelling the task cancels the stage."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()

        def settle(value: Any, error: BaseException | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(value)
            else:
                wrapped = isinstance(error, JavaError) and error.__java__.name == "java.util.concurrent.CompletionException"
                future.set_exception((error.__cause__ if wrapped else None) or error)

        def completed(value: Any, error: BaseException | None) -> None:
            with suppress(RuntimeError):  # the loop is closed, so no task waits for the result
                loop.call_soon_threadsafe(settle, value, error)

        await self.run(lambda: stage.whenComplete(completed))
        try:
            return await future
        except asyncio.CancelledError:
            if stage.__java__.is_a("java.util.concurrent.Future"):
                await self.run(lambda: stage.cancel(True))
            raise

    def shown(self, value: Any) -> Any:
        """A result: references, classes and packages for asyncio, too."""
        return AioNames(self, (), value) if isinstance(value, JavaObject | JavaClass | Package) else value

    def close(self) -> None:
        """Ends the threads. Queued calls raise `closed`; waiting ones end when the session does."""
        self._threads.shutdown(wait=False)


class _Call:
    """A call of one task, on a thread of the pool."""

    __slots__ = ("_call", "_cancelled", "_lock", "_session", "_thread")

    def __init__(self, session: Session, call: Callable[[], Any]) -> None:
        self._session = session
        self._call = call
        self._lock = threading.Lock()
        self._thread: int | None = None
        self._cancelled = False

    def run(self) -> Any:
        with self._lock:
            if self._cancelled:
                return None  # the awaiting task was cancelled
            self._thread = threading.get_ident()
        try:
            return self._call()
        finally:
            with self._lock:
                self._thread = None

    def cancel(self) -> None:
        """Interrupts the call if it runs. The lock keeps the thread from starting another task's call meanwhile."""
        with self._lock:
            self._cancelled = True
            if self._thread is not None:
                self._session.interrupt(self._thread)


class AioNames:
    """A name below `gateway.aio`, or an object that a call returned. It is looked up when it is called or awaited.

    Calling it returns a coroutine, for `await`, `create_task` and `asyncio.run`. Awaiting it returns its value: a
    field's, a class, or the result of a Java future, or raises the future's exception. `async with` closes an
    AutoCloseable, `async for` iterates in chunks. `sync` is the same object for blocking calls. `async def` functions
    may be passed as callbacks: they run on the loop, and Java's thread waits.
    """

    __slots__ = ("_aio", "_path", "_target")

    def __init__(self, aio: Aio, path: tuple[str, ...], target: Any = None) -> None:
        self._aio = aio
        self._path = path
        self._target = aio.gateway.jvm if target is None else target

    def __getattr__(self, name: str) -> AioNames:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return AioNames(self._aio, (*self._path, name), self._target)

    def __getitem__(self, name: str) -> AioNames:
        """The class of a binary name, or an element of a container. Looked up at once."""
        return AioNames(self._aio, (), self._found()[name])

    @property
    def sync(self) -> Any:
        """The object itself, for blocking calls. Looked up now, on this thread."""
        return self._found()

    def _found(self) -> Any:
        found = self._target
        for name in self._path:
            found = getattr(found, name)
        return found

    def __call__(self, *arguments: Any) -> Any:
        plain = [a._found() if isinstance(a, AioNames) else a for a in arguments]

        async def call() -> Any:
            loop = asyncio.get_running_loop()
            plain[:] = [_blocking(a, loop) if inspect.iscoroutinefunction(a) else a for a in plain]
            return self._aio.shown(await self._aio.run(lambda: self._found()(*plain)))

        return _Awaited(call)

    def __await__(self) -> Generator[Any, None, Any]:
        async def value() -> Any:
            found = await self._aio.run(self._found)
            if isinstance(found, JavaObject):
                if found.__java__.is_a("java.util.concurrent.CompletionStage"):
                    return self._aio.shown(await self._aio.completed(found))
                if found.__java__.is_a("java.util.concurrent.Future"):
                    return self._aio.shown(await self._aio.run(found.get))  # type: ignore[attr-defined]
            return self._aio.shown(found)

        return value().__await__()

    async def __aenter__(self) -> AioNames:
        return self

    async def __aexit__(self, *_: object) -> None:
        found = self._found()
        await self._aio.run(lambda: found.__exit__(None, None, None))

    async def __aiter__(self) -> AsyncIterator[Any]:
        source = await self._aio.run(lambda: iter(self._found()))
        while values := await self._aio.run(lambda: list(islice(source, _CHUNK))):
            for value in values:
                yield self._aio.shown(value)

    async def to_py(self, *kind: Any) -> Any:
        """The object's value in Python, as `JavaObject.to_py` returns it."""
        return await self._aio.run(lambda: self._found().to_py(*kind))

    def __repr__(self) -> str:
        return f"<asyncio: {'.'.join((repr(self._target), *self._path))}>"


def _blocking(function: Callable[..., Any], loop: asyncio.AbstractEventLoop) -> Callable[..., Any]:
    """Wraps an `async def` function for Java's threads: the wrapper runs it on the loop and waits for its result."""

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(function(*arguments), loop).result()

    # `wraps` sets this, by which tools would unwrap it to the `async def`.
    del called.__wrapped__
    return called


class _Awaited(Coroutine[Any, Any, Any]):
    """A call that has not begun: `await`, or a task of it, makes the call; `async with` also closes what it returned.

    It is a coroutine and can be awaited once. Unlike others it may be dropped without a warning, since nothing was
    begun.
    """

    __slots__ = ("_begun", "_call", "_entered")

    def __init__(self, call: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        self._call = call
        self._begun: Coroutine[Any, Any, Any] | None = None

    def _coroutine(self) -> Coroutine[Any, Any, Any]:
        if self._begun is None:
            self._begun = self._call()
        return self._begun

    def send(self, value: Any) -> Any:
        """Coroutine protocol. Tracebacks of exceptions omit the frames between the program and the call."""
        try:
            return self._coroutine().send(value)
        except StopIteration:
            raise
        except BaseException as error:
            error.__traceback__ = _program(error.__traceback__)
            raise

    def throw(self, *error: Any) -> Any:
        """Coroutine protocol."""
        try:
            return self._coroutine().throw(*error)
        except StopIteration:
            raise
        except BaseException as failed:
            failed.__traceback__ = _program(failed.__traceback__)
            raise

    def close(self) -> None:
        """Coroutine protocol: a call that has not begun is never made."""
        self._coroutine().close()

    def __await__(self) -> Generator[Any, None, Any]:
        return self

    def __iter__(self) -> _Awaited:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    async def __aenter__(self) -> Any:
        self._entered = await self
        return await self._entered.__aenter__()

    async def __aexit__(self, *error: object) -> None:
        await self._entered.__aexit__(*error)


def _program(entry: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of this module, and of the threads on which calls wait."""
    kept = []
    while entry is not None:
        if entry.tb_frame.f_code.co_filename not in (__file__, executor_thread.__file__):
            kept.append(entry)
        entry = entry.tb_next
    made: TracebackType | None = None
    for entry in reversed(kept):
        made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made
