"""What clients tell about themselves: to loggers, and to observers. Blocking and asyncio clients call the same hooks.

Without observers a command costs nothing more. `use_opentelemetry()` adds one that makes spans and metrics.
"""

from __future__ import annotations

import logging
import time
from importlib import import_module
from typing import Any

#: Connects at DEBUG, lost connections and repeated commands at INFO, opened circuits at WARNING.
logger = logging.getLogger("samewire.redis")

#: Observers in the order in which they were added: look only, and change it by `add_observer` and `remove_observer`.
observers: list[Observer] = []


class Observer:
    """Hooks: override those that you need. They are called in the caller's thread or event loop, and must not raise."""

    def started(self, name: str, commands: int, options: dict[str, Any]) -> Any:
        """A command, or a pipeline of so many, is about to be sent. What is returned is handed to `finished`.

        name: the command's, `PIPELINE` or `MULTI`.
        options: the keywords of the connections: host, port, path, db.
        """

    def finished(self, token: Any, name: str, seconds: float, error: BaseException | None) -> None:
        """Its reply came, or what took its place."""

    def repeated(self, name: str, failures: int, error: Exception) -> None:
        """A command is sent again after so many failures."""

    def connected(self, address: str, seconds: float) -> None:
        """A connection was made."""

    def disconnected(self, address: str, error: BaseException | None) -> None:
        """A connection was closed, or lost by an error."""


def add_observer(observer: Observer) -> None:
    """Adds an observer: its methods are called from now on."""
    observers.append(observer)


def remove_observer(observer: Observer) -> None:
    """Removes an observer. Raises ValueError if it was not added."""
    observers.remove(observer)


def started(name: str, commands: int, options: dict[str, Any]) -> list[tuple[Observer, Any]]:
    """Tells all observers, and returns what `finished` takes."""
    return [(observer, observer.started(name, commands, options)) for observer in observers]


def finished(tokens: list[tuple[Observer, Any]], name: str, seconds: float, error: BaseException | None) -> None:
    """Notifies the observers that were notified of the start."""
    for observer, token in reversed(tokens):
        observer.finished(token, name, seconds, error)


class observed:  # noqa: N801 (it is used as a function is)
    """Tells all observers of what is done in a `with` block; it may await."""

    __slots__ = ("_name", "_start", "_tokens")

    def __init__(self, name: str, commands: int, options: dict[str, Any]) -> None:
        self._name = name
        self._tokens = started(name, commands, options) if observers else []
        self._start = time.monotonic()

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        finished(self._tokens, self._name, time.monotonic() - self._start, error)


def repeated(name: str, failures: int, error: Exception) -> None:
    """Tells all observers, and the log."""
    logger.info("%s failed and is sent again (failure %d): %s", name, failures, error)
    for observer in observers:
        observer.repeated(name, failures, error)


def connected(address: str, seconds: float) -> None:
    """Tells all observers, and the log."""
    logger.debug("connected to %s in %.4f s", address, seconds)
    for observer in observers:
        observer.connected(address, seconds)


def disconnected(address: str, error: BaseException | None) -> None:
    """Tells all observers, and the log if it was an error."""
    if error is not None:
        logger.info("lost the connection to %s: %s", address, error)
    for observer in observers:
        observer.disconnected(address, error)


class OpenTelemetry(Observer):
    """Spans and metrics by OpenTelemetry's conventions for databases. Needs the package `opentelemetry-api`."""

    def __init__(self, tracer_provider: Any = None, meter_provider: Any = None) -> None:
        metrics: Any = import_module("opentelemetry.metrics")
        trace: Any = import_module("opentelemetry.trace")
        self._kind = trace.SpanKind.CLIENT
        self._failed = trace.StatusCode.ERROR
        self._tracer = trace.get_tracer("samewire.redis", tracer_provider=tracer_provider)
        meter = metrics.get_meter("samewire.redis", meter_provider=meter_provider)
        self._durations = meter.create_histogram("db.client.operation.duration", "s", "Duration of database client operations")
        self._connects = meter.create_histogram("db.client.connection.create_time", "s", "Time to make a connection")
        self._repeats = meter.create_counter("samewire.redis.repeated", "{command}", "Commands that were sent again")
        self._lost = meter.create_counter("samewire.redis.connections.closed", "{connection}", "Connections that were closed")

    def started(self, name: str, commands: int, options: dict[str, Any]) -> Any:
        attributes: dict[str, Any] = {"db.system.name": "redis", "db.operation.name": name}
        attributes["db.namespace"] = str(options.get("db") or 0)
        attributes["server.address"] = options.get("path") or options.get("host") or "localhost"
        if options.get("port"):
            attributes["server.port"] = options["port"]
        if commands > 1:
            attributes["db.operation.batch.size"] = commands
        return self._tracer.start_span(name, kind=self._kind, attributes=attributes), attributes

    def finished(self, token: Any, name: str, seconds: float, error: BaseException | None) -> None:
        span, attributes = token
        if error is not None:
            attributes["error.type"] = type(error).__qualname__
            span.record_exception(error)
            span.set_status(self._failed, str(error))
        span.end()
        self._durations.record(seconds, attributes)

    def repeated(self, name: str, failures: int, error: Exception) -> None:
        self._repeats.add(1, {"db.operation.name": name, "error.type": type(error).__qualname__})

    def connected(self, address: str, seconds: float) -> None:
        self._connects.record(seconds, {"db.system.name": "redis", "server.address": address})

    def disconnected(self, address: str, error: BaseException | None) -> None:
        reason = "closed" if error is None else type(error).__qualname__
        self._lost.add(1, {"server.address": address, "reason": reason})


def use_opentelemetry(tracer_provider: Any = None, meter_provider: Any = None) -> OpenTelemetry:
    """Adds an observer that makes spans and metrics, and returns it. Raises ImportError without `opentelemetry-api`.

    Statements are not recorded: they hold values.
    """
    observer = OpenTelemetry(tracer_provider, meter_provider)
    add_observer(observer)
    return observer
