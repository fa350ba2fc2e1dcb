"""opentelemetry-instrumentation-redis: spans of commands and pipelines, sync and asyncio."""

from __future__ import annotations

import redis
import redis.asyncio
from harness import URL, check, run
from opentelemetry.instrumentation.redis import RedisInstrumentor
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))

before = redis.Redis.from_url(URL)
before.ping()


def spans() -> list[ReadableSpan]:
    """The spans since the last call."""
    found = list(exporter.get_finished_spans())
    exporter.clear()
    return found


@check
def instruments_the_package() -> None:
    RedisInstrumentor().instrument(tracer_provider=provider)
    assert RedisInstrumentor().is_instrumented_by_opentelemetry


@check
def commands() -> None:
    client = redis.Redis.from_url(URL)
    client.set("key", "value", ex=10)
    assert client.get("key") == b"value"
    before.get("key")
    names = [(span.name, (span.attributes or {}).get("db.statement")) for span in spans()]
    assert names == [("SET", "SET ? ? ? ?"), ("GET", "GET ?"), ("GET", "GET ?")], names


@check
def attributes() -> None:
    redis.Redis.from_url(URL, db=3).ping()
    (span,) = spans()
    attributes = dict(span.attributes or {})
    port = int(URL.rsplit(":", 1)[1].split("/")[0])
    assert attributes["db.system"] == "redis" and attributes["db.redis.database_index"] in (0, 3)
    assert attributes["net.peer.name"] == "127.0.0.1" and attributes["net.peer.port"] == port


@check
def errors() -> None:
    before.set("text", "a")
    spans()
    try:
        before.incr("text")
    except redis.ResponseError:
        (span,) = spans()
        assert span.name == "INCRBY" and span.status.status_code is StatusCode.ERROR
        assert span.events[0].name == "exception"
    else:
        raise AssertionError("no ResponseError")


@check
def pipelines() -> None:
    with before.pipeline() as pipe:
        pipe.set("a", 1).incr("a")
        pipe.get("a")
        assert pipe.execute() == [True, 2, b"2"]
    (span,) = spans()
    attributes = dict(span.attributes or {})
    assert attributes["db.redis.pipeline_length"] == 3, attributes
    assert attributes["db.statement"] == "SET ? ?\nINCRBY ? ?\nGET ?", attributes
    assert span.name == "SET INCRBY GET"


@check
def watched_pipelines() -> None:
    with before.pipeline() as pipe:
        pipe.watch("a")
        assert pipe.get("a") == b"2"
        pipe.multi()
        pipe.set("a", 3)
        assert pipe.execute() == [True]
    names = [span.name for span in spans()]
    assert names == ["WATCH", "GET", "SET"], names


@check
async def asyncio_commands() -> None:
    async with redis.asyncio.from_url(URL) as client:
        await client.set("key", "value")
        assert await client.get("key") == b"value"
        async with client.pipeline() as pipe:
            await pipe.incr("n").incr("n").execute()
    names = [(span.name, (span.attributes or {}).get("db.statement")) for span in spans()]
    assert names == [("SET", "SET ? ?"), ("GET", "GET ?"), ("INCRBY INCRBY", "INCRBY ? ?\nINCRBY ? ?")], names


@check
def hooks_of_one_client() -> None:
    RedisInstrumentor().uninstrument()
    seen = []
    client = redis.Redis.from_url(URL)
    RedisInstrumentor.instrument_client(
        client,
        tracer_provider=provider,
        request_hook=lambda span, instance, args, kwargs: seen.append(args),
        response_hook=lambda span, instance, response: seen.append(response),
    )
    client.set("k", "v")
    before.get("k")
    assert seen == [("SET", "k", "v"), True], seen
    assert [span.name for span in spans()] == ["SET"]


run()
