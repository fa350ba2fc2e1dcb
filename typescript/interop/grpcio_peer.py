"""grpcio's side of gRPC's interoperability tests.

``serve`` prints the port of its server and ends with its input; ``call ADDRESS [CERTIFICATE]`` runs every case as a client, over TLS where
there is the certificate of an authority, and says of each how it went. The cases are those of gRPC's ``doc/interop-test-descriptions.md``,
and messages compressed with gzip.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test" / "grpc" / "interop"))
messages, services = grpc.protos_and_services("testing.proto")

REQUEST_SIZES = (27182, 8, 1828, 45904)
RESPONSE_SIZES = (31415, 9, 2653, 58979)
LARGE_REQUEST, LARGE_RESPONSE = 271828, 314159
INITIAL, TRAILING = "x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin"
SECONDS = 60
"""The longest that a case may take."""
STATUS = {code.value[0]: code for code in grpc.StatusCode}


def payload(size: int) -> Any:
    """So many zero bytes."""
    return messages.Payload(body=bytes(size))


# --- the server ------------------------------------------------------------------------------------------------


def _begin(context: grpc.ServicerContext) -> None:
    """Sends back the two entries of metadata that cases look for."""
    given = {entry.key: entry.value for entry in context.invocation_metadata()}
    if INITIAL in given:
        context.send_initial_metadata(((INITIAL, given[INITIAL]),))
    if TRAILING in given:
        context.set_trailing_metadata(((TRAILING, given[TRAILING]),))


def _end(request: Any, context: grpc.ServicerContext) -> None:
    """Ends the call with the status that a request asks for."""
    if request.response_status.code:
        context.abort(STATUS[request.response_status.code], request.response_status.message)


def _responses(request: Any) -> Iterator[Any]:
    for part in request.response_parameters:
        time.sleep(part.interval_us / 1e6)
        yield messages.StreamingOutputCallResponse(payload=payload(part.size))


class TestService(services.TestServiceServicer):  # type: ignore[misc, name-defined]
    """The service; ``UnimplementedCall`` is left as it is made."""

    def EmptyCall(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802 (the .proto names it)
        """Nothing for nothing."""
        return messages.Empty()

    def UnaryCall(self, request: Any, context: grpc.ServicerContext) -> Any:  # noqa: N802 (the .proto names it)
        """A payload of the size asked for, compressed if so asked."""
        _begin(context)
        _end(request, context)
        if request.response_compressed.value:
            context.set_compression(grpc.Compression.Gzip)
        server_id = "grpcio" if request.fill_server_id else ""
        return messages.SimpleResponse(payload=payload(request.response_size), server_id=server_id)

    def StreamingInputCall(self, requests: Iterable[Any], context: grpc.ServicerContext) -> Any:  # noqa: N802 (the .proto names it)
        """The bytes of all payloads."""
        return messages.StreamingInputCallResponse(aggregated_payload_size=sum(len(each.payload.body) for each in requests))

    def StreamingOutputCall(self, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:  # noqa: N802 (the .proto names it)
        """The payloads asked for."""
        return _responses(request)

    def FullDuplexCall(self, requests: Iterable[Any], context: grpc.ServicerContext) -> Iterator[Any]:  # noqa: N802 (the .proto names it)
        """The payloads that each request asks for."""
        _begin(context)
        for request in requests:
            _end(request, context)
            yield from _responses(request)


def serve() -> None:
    """Serves on a free port of loopback until the input ends."""
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    services.add_TestServiceServicer_to_server(TestService(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    sys.stdin.read()
    server.stop(grace=None).wait()


# --- the client ------------------------------------------------------------------------------------------------


def _fails(call: Callable[[], Any], code: grpc.StatusCode, details: str | None = None) -> None:
    try:
        call()
    except grpc.RpcError as error:
        assert error.code() is code, f"{error.code()} instead of {code}: {error.details()}"
        assert details is None or error.details() == details, f"{error.details()!r} instead of {details!r}"
    else:
        raise AssertionError(f"OK instead of {code}")


def _large(stub: Any, **options: Any) -> tuple[Any, grpc.Call]:
    request = messages.SimpleRequest(response_size=LARGE_RESPONSE, payload=payload(LARGE_REQUEST), **options.pop("request", {}))
    response, call = stub.UnaryCall.with_call(request, timeout=SECONDS, **options)
    assert response.payload.body == bytes(LARGE_RESPONSE)
    return response, call


def _asking(*sizes: int, request: int = 0, **more: Any) -> Any:
    parameters = [messages.ResponseParameters(size=size) for size in sizes]
    return messages.StreamingOutputCallRequest(response_parameters=parameters, payload=payload(request), **more)


def empty_unary(stub: Any) -> None:
    """Nothing for nothing."""
    assert stub.EmptyCall(messages.Empty(), timeout=SECONDS) == messages.Empty()


def large_unary(stub: Any) -> None:
    """A large request and a large response."""
    _large(stub)


def client_compressed_unary(stub: Any) -> None:
    """A request that grpcio compresses."""
    _large(stub, compression=grpc.Compression.Gzip)


def server_compressed_unary(stub: Any) -> None:
    """A response that is to be compressed."""
    _large(stub, request={"response_compressed": messages.BoolValue(value=True)})


def client_streaming(stub: Any) -> None:
    """The sum of four sizes."""
    requests = (messages.StreamingInputCallRequest(payload=payload(size)) for size in REQUEST_SIZES)
    assert stub.StreamingInputCall(requests, timeout=SECONDS).aggregated_payload_size == sum(REQUEST_SIZES)


def server_streaming(stub: Any) -> None:
    """Four responses of the sizes asked for."""
    got = [len(each.payload.body) for each in stub.StreamingOutputCall(_asking(*RESPONSE_SIZES), timeout=SECONDS)]
    assert got == list(RESPONSE_SIZES), got


def ping_pong(stub: Any) -> None:
    """Each request is sent once the response before has come."""
    turn = threading.Semaphore()

    def requests() -> Iterator[Any]:
        for size, request in zip(RESPONSE_SIZES, REQUEST_SIZES, strict=True):
            turn.acquire()
            yield _asking(size, request=request)

    for size, response in zip(RESPONSE_SIZES, stub.FullDuplexCall(requests(), timeout=SECONDS), strict=True):
        assert len(response.payload.body) == size
        turn.release()


def compressed_streams(stub: Any) -> None:
    """Requests that grpcio compresses, on one stream."""
    requests = (_asking(size, request=request) for size, request in zip(RESPONSE_SIZES, REQUEST_SIZES, strict=True))
    call = stub.FullDuplexCall(requests, timeout=SECONDS, compression=grpc.Compression.Gzip)
    assert [len(each.payload.body) for each in call] == list(RESPONSE_SIZES)


def empty_stream(stub: Any) -> None:
    """No message in either direction."""
    assert list(stub.FullDuplexCall(iter(()), timeout=SECONDS)) == []


def timeout_on_sleeping_server(stub: Any) -> None:
    """The deadline comes before the response."""
    slow = _asking()
    slow.response_parameters.append(messages.ResponseParameters(size=1, interval_us=500_000))
    _fails(lambda: list(stub.FullDuplexCall(iter([slow]), timeout=0.02)), grpc.StatusCode.DEADLINE_EXCEEDED)


def cancel_after_begin(stub: Any) -> None:
    """Cancelled before a request."""

    def requests() -> Iterator[Any]:
        time.sleep(SECONDS)
        yield from ()

    call = stub.StreamingInputCall.future(requests(), timeout=SECONDS)
    call.cancel()
    assert call.cancelled() and call.code() is grpc.StatusCode.CANCELLED


def cancel_after_first_response(stub: Any) -> None:
    """Cancelled between two responses."""
    call = stub.FullDuplexCall(iter([_asking(31415, request=27182), _asking(9)]), timeout=SECONDS)
    next(call)
    call.cancel()
    _fails(lambda: list(call), grpc.StatusCode.CANCELLED)


def _status(stub: Any, message: str) -> None:
    wanted = messages.EchoStatus(code=2, message=message)
    _fails(
        lambda: stub.UnaryCall(messages.SimpleRequest(response_status=wanted), timeout=SECONDS), grpc.StatusCode.UNKNOWN, message
    )
    stream = lambda: list(stub.FullDuplexCall(iter([_asking(response_status=wanted)]), timeout=SECONDS))  # noqa: E731
    _fails(stream, grpc.StatusCode.UNKNOWN, message)


def status_code_and_message(stub: Any) -> None:
    """A status with a text."""
    _status(stub, "test status message")


def special_status_message(stub: Any) -> None:
    """A text that has to be percent-encoded."""
    _status(stub, "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n")


def custom_metadata(stub: Any) -> None:
    """Metadata sent back, in front and behind."""
    entries = ((INITIAL, "test_initial_metadata_value"), (TRAILING, b"\xab\xab\xab"))

    def check(call: grpc.Call) -> None:
        assert entries[0] in [tuple(entry) for entry in call.initial_metadata()]
        assert entries[1] in [tuple(entry) for entry in call.trailing_metadata()]

    check(_large(stub, metadata=entries)[1])
    call = stub.FullDuplexCall(iter([_asking(LARGE_RESPONSE, request=LARGE_REQUEST)]), timeout=SECONDS, metadata=entries)
    assert len(list(call)) == 1
    check(call)


def unimplemented_method(stub: Any) -> None:
    """A method that the service has not."""
    _fails(lambda: stub.UnimplementedCall(messages.Empty(), timeout=SECONDS), grpc.StatusCode.UNIMPLEMENTED)


CASES: tuple[Callable[[Any], None], ...] = (
    empty_unary, large_unary, client_compressed_unary, server_compressed_unary, client_streaming, server_streaming, ping_pong,
    compressed_streams, empty_stream, timeout_on_sleeping_server, cancel_after_begin, cancel_after_first_response,
    status_code_and_message, special_status_message, custom_metadata, unimplemented_method,
)  # fmt: skip


def call(address: str, authority: str | None) -> None:
    """Runs every case over a channel of its own and says how each went."""
    failed = 0
    for case in CASES:
        credentials = grpc.ssl_channel_credentials(Path(authority).read_bytes()) if authority else None
        channel = grpc.secure_channel(address, credentials) if credentials else grpc.insecure_channel(address)
        with channel:
            try:
                case(services.TestServiceStub(channel))
                print(f"{case.__name__}: passed")
            except (AssertionError, grpc.RpcError) as error:
                failed += 1
                print(f"{case.__name__}: failed: {error}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve"]:
            serve()
        case ["call", address]:
            call(address, None)
        case ["call", address, authority]:
            call(address, authority)
        case _:
            sys.exit("usage: grpcio_peer.py serve | call ADDRESS [CERTIFICATE]")
