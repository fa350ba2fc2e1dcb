"""What observers and the log are told of the blocking client."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.exceptions import ConnectionError, ResponseError
from samewire.redis.observability import Observer, add_observer, remove_observer, use_opentelemetry
from samewire.redis.retry import Retry
from servers import peer


class Noting(Observer):
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def started(self, name: str, commands: int, options: dict[str, Any]) -> Any:
        self.seen.append(("started", name, commands, options["port"]))
        return len(self.seen)

    def finished(self, token: Any, name: str, seconds: float, error: BaseException | None) -> None:
        assert 0 <= seconds < 10
        self.seen.append(("finished", name, type(error).__name__))

    def repeated(self, name: str, failures: int, error: Exception) -> None:
        self.seen.append(("repeated", name, failures))

    def connected(self, address: str, seconds: float) -> None:
        self.seen.append(("connected", address))

    def disconnected(self, address: str, error: BaseException | None) -> None:
        self.seen.append(("disconnected", address, type(error).__name__))


@pytest.fixture
def noting() -> Iterator[Noting]:
    made = Noting()
    add_observer(made)
    yield made
    remove_observer(made)


def test_observers_are_told_of_commands_and_connections(port: int, noting: Noting) -> None:
    address = f"localhost:{port}"
    with Client[bytes](port=port) as client:
        client.set("key", "value")
        with pytest.raises(ResponseError):
            client.execute_command("LPUSH", "key", 1)
        client.pipeline().get("key").get("key").execute()
        client.pipeline(transaction=False).get("key").execute()
    assert noting.seen == [
        ("started", "SET", 1, port),
        ("connected", address),
        ("finished", "SET", "NoneType"),
        ("started", "LPUSH", 1, port),
        ("finished", "LPUSH", "ResponseError"),
        ("started", "MULTI", 2, port),
        ("finished", "MULTI", "NoneType"),
        ("started", "PIPELINE", 1, port),
        ("finished", "PIPELINE", "NoneType"),
        ("disconnected", address, "NoneType"),
    ]


def test_repeated_commands_are_told_and_logged(noting: Noting, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "samewire.redis")
    with peer(lambda connection: None) as port, pytest.raises(ConnectionError):
        Client[bytes](port=port, retry=Retry(NoBackoff(), 0)).get("key")
    assert not [seen for seen in noting.seen if seen[0] == "connected"]
    assert ("finished", "GET", "ConnectionError") in noting.seen
    assert "lost the connection to localhost" in caplog.text


class Meter:
    """What is asked of OpenTelemetry's API, noted."""

    def __init__(self) -> None:
        self.noted: list[Any] = []
        self.SpanKind = self
        self.StatusCode = self
        self.CLIENT = "client"
        self.ERROR = "error"

    def get_tracer(self, name: str, **_: Any) -> Meter:
        return self

    get_meter = get_tracer

    def create_histogram(self, name: str, *_: str) -> Any:
        return Instrument(name, self.noted)

    create_counter = create_histogram

    def start_span(self, name: str, kind: str, attributes: dict[str, Any]) -> Meter:
        self.noted.append(("span", name, dict(attributes)))
        return self

    def record_exception(self, error: BaseException) -> None:
        self.noted.append(("exception", type(error).__name__))

    def set_status(self, status: str, text: str) -> None:
        self.noted.append(("status", status))

    def end(self) -> None:
        self.noted.append("end")


class Instrument:
    def __init__(self, name: str, noted: list[Any]) -> None:
        self.name = name
        self.noted = noted

    def record(self, value: float, attributes: dict[str, Any]) -> None:
        self.noted.append((self.name, attributes.get("error.type")))

    add = record


def test_spans_and_metrics_have_opentelemetrys_names(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    meter = Meter()
    for name in ("opentelemetry", "opentelemetry.metrics", "opentelemetry.trace"):
        module = ModuleType(name)
        module.__dict__.update({attribute: getattr(meter, attribute) for attribute in dir(meter) if attribute[0] != "_"})
        monkeypatch.setitem(sys.modules, name, module)
    observer = use_opentelemetry()
    try:
        with Client[bytes](port=port, db=2) as client, pytest.raises(ResponseError):
            client.execute_command("INCR", "key", "wrong")
    finally:
        remove_observer(observer)
    span = {
        "db.system.name": "redis",
        "db.operation.name": "INCR",
        "db.namespace": "2",
        "server.address": "localhost",
        "server.port": port,
    }
    assert meter.noted == [
        ("span", "INCR", span),
        ("db.client.connection.create_time", None),
        ("exception", "ResponseError"),
        ("status", "error"),
        "end",
        ("db.client.operation.duration", "ResponseError"),
        ("samewire.redis.connections.closed", None),
    ]
