"""The blocking client over TLS: authorities, client certificates, server names, contexts, refusals."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from certificates import Certificates, certificates
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.connection import SSLConnection
from samewire.redis.exceptions import ConnectionError, RedisError, TimeoutError
from samewire.redis.retry import Retry
from servers import peer, valkey
from tls_servers import tls


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def plain() -> Iterator[int]:
    with valkey() as server:
        yield server.port


@pytest.fixture(scope="module")
def port(plain: int, made: Certificates) -> Iterator[int]:
    with tls(plain, (made.server, made.server_key)) as at:
        yield at


def client(port: int, **options: Any) -> Client[bytes]:
    return Client(port=port, ssl=True, retry=Retry(NoBackoff(), 0), **options)


def test_the_authority_decides(port: int, made: Certificates) -> None:
    with client(port, ssl_ca_certs=str(made.authority)) as trusting:
        trusting.set("key", "value")
        assert trusting.get("key") == b"value"
    with client(port, ssl_ca_data=made.authority.read_text()) as trusting:
        assert trusting.get("key") == b"value"
    with pytest.raises(ConnectionError, match="certificate verify failed") as caught:
        client(port).get("key")
    assert not caught.value.may_have_run
    with client(port, ssl_cert_reqs="none") as careless:
        assert careless.get("key") == b"value"
    with pytest.raises(RedisError, match="ssl_cert_reqs is 'sometimes'"):
        client(port, ssl_cert_reqs="sometimes").get("key")


def test_the_name_must_be_the_certificates(port: int, made: Certificates) -> None:
    with pytest.raises(ConnectionError, match="IP address mismatch"):
        client(port, host="127.0.0.1", ssl_ca_certs=str(made.authority)).get("key")
    with client(port, host="127.0.0.1", ssl_ca_certs=str(made.authority), ssl_server_hostname="localhost") as named:
        named.get("key")
    with client(port, host="127.0.0.1", ssl_ca_certs=str(made.authority), ssl_check_hostname=False) as careless:
        careless.get("key")


def test_a_client_certificate_is_shown(plain: int, made: Certificates) -> None:
    with tls(plain, (made.server, made.server_key), made.authority) as port:
        shown = {
            "ssl_ca_certs": str(made.authority),
            "ssl_certfile": str(made.client),
            "ssl_keyfile": str(made.client_key),
            "ssl_password": made.password,
        }
        with client(port, **shown) as known:
            known.get("key")
        with pytest.raises((ConnectionError, TimeoutError)):
            client(port, ssl_ca_certs=str(made.authority)).get("key")
        with pytest.raises(ConnectionError):
            client(port, **shown | {"ssl_password": "wrong"}).get("key")


def test_a_context_is_used_as_it_is(port: int, made: Certificates) -> None:
    context = ssl.create_default_context(cafile=str(made.authority))
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    with client(port, ssl_context=context) as own:
        own.get("key")
    with client(port, ssl_ca_certs=str(made.authority), ssl_min_version=ssl.TLSVersion.TLSv1_3) as strict:
        strict.get("key")
    with pytest.raises(RedisError, match="OCSP is not supported"):
        client(port, ssl_validate_ocsp=True).get("key")


def test_a_url_and_its_options(port: int, made: Certificates) -> None:
    with Client.from_url(f"rediss://localhost:{port}/3?ssl_ca_certs={made.authority}") as found:
        assert found.execute_command("CLIENT INFO")["db"] == 3
        assert isinstance(found.connection_pool._connections[0], SSLConnection)
    with pytest.raises(ValueError, match="ssl_include_verify_flags"):
        Client.from_url("rediss://localhost?ssl_include_verify_flags=NO_SUCH")
    url = f"rediss://localhost:{port}?ssl_ca_certs={made.authority}&ssl_include_verify_flags=VERIFY_X509_TRUSTED_FIRST"
    with Client.from_url(url) as found:
        found.get("key")


def test_large_values_pipelines_and_subscribers(port: int, made: Certificates) -> None:
    with client(port, ssl_ca_certs=str(made.authority)) as secure:
        secure.set("large", b"x" * 3_000_000)
        assert len(secure.get("large") or b"") == 3_000_000
        pipe = secure.pipeline(transaction=False)
        for number in range(5_000):
            pipe.set("key", number).get("key")
        assert pipe.execute()[-2:] == [True, b"4999"]
        connection = secure.connection_pool.get_connection()
        connection.send_command("SET", "large", b"y" * 3_000_000)
        assert connection.read_response() == b"OK"
        secure.connection_pool.release(connection)
        with secure.pubsub(ignore_subscribe_messages=True) as subscriber:
            subscriber.subscribe("news")
            assert subscriber.get_message(timeout=0.2) is None
            secure.execute_command("PUBLISH", "news", "here")
            message = subscriber.get_message(timeout=5)
            assert message is not None
            assert message["data"] == b"here"


def test_threads_share_an_encrypted_client(port: int, made: Certificates) -> None:
    wrong: list[Any] = []
    with client(port, ssl_ca_certs=str(made.authority)) as secure:

        def work(name: int) -> None:
            sent = [f"{name}-{turn}".encode() for turn in range(100)]
            wrong.extend(text for text in sent if secure.execute_command("ECHO", text) != text)

        threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_a_server_without_tls_is_refused(plain: int) -> None:
    with pytest.raises((ConnectionError, TimeoutError)):
        client(plain, socket_timeout=1, socket_connect_timeout=1).get("key")


def test_a_handshake_that_never_comes_is_a_timeout() -> None:
    def stall(connection: socket.socket) -> None:
        threading.Event().wait(120)

    with peer(stall) as port:
        start = time.monotonic()
        with pytest.raises(TimeoutError, match="Timeout connecting"):
            client(port, socket_connect_timeout=0.2).get("key")
        assert time.monotonic() - start < 60
