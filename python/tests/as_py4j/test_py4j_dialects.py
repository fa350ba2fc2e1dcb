"""One port, two dialects: which of them a client speaks, and by which way."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from samewire import bridge
from samewire.errors import SamewireError
from samewire.py4j.java_gateway import GatewayParameters, JavaGateway
from samewire.py4j.launching import OUR_JAR
from samewire.py4j.native import NativeDialect
from samewire.py4j.negotiation import _Offer

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = Path(__file__).with_name("Dialects.java")
PASSWORD = "key-store"
QUICK = "-XX:TieredStopAtLevel=1"


class Ports(NamedTuple):
    """Where the program's servers listen, and the certificate of the one with TLS."""

    plain: int
    secured: int
    certificate: Path


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ports]:
    """Servers without and with TLS. The folder of their sockets has a blank in its name."""
    folder = tmp_path_factory.mktemp("dialects") / "of a port"
    folder.mkdir()
    java, keytool = shutil.which("java"), shutil.which("keytool")
    assert java and keytool
    store, certificate = folder / "keys", folder / "certificate"
    key = ["-keystore", str(store), "-storepass", PASSWORD, "-storetype", "PKCS12", "-alias", "server"]
    short = [f"-J{QUICK}"]
    made = ["-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext", "SAN=IP:127.0.0.1", "-validity", "2"]
    subprocess.run([keytool, *short, "-genkeypair", *made, *key], check=True, capture_output=True, timeout=120)
    exported = ["-exportcert", "-rfc", "-file", str(certificate)]
    subprocess.run([keytool, *short, *exported, *key], check=True, capture_output=True, timeout=120)
    command = [java, QUICK, f"-Djava.io.tmpdir={folder}", "-cp", str(OUR_JAR), str(PROGRAM), str(store), PASSWORD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        yield Ports(int(program.stdout.readline()), int(program.stdout.readline()), certificate)
        program.communicate(timeout=60)


def used(gateway: JavaGateway) -> str:
    """Calls Java from two threads, and returns by which way."""
    assert gateway.jvm.java.lang.Math.max(1, 2) == 2
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(list(gateway.jvm.java.util.ArrayList([3]))))
    thread.start()
    thread.join()
    assert found == [[3]]
    dialect = gateway._gateway_client.dialect
    return repr(dialect._gateway) if isinstance(dialect, NativeDialect) else "text"


def parameters(ports: Ports, **more: Any) -> GatewayParameters:
    """Of a client of the server without TLS."""
    return GatewayParameters(
        **{"address": "127.0.0.2", "port": ports.plain, "auth_token": "secret", "auto_convert": True, **more}
    )


@pytest.mark.parametrize(("wanted", "way"), [(None, "<Gateway, shared-memory>"), ("port", "<Gateway, tcp>"), ("text", "text")])
def test_the_environment_says_which_dialect(ports: Ports, monkeypatch: pytest.MonkeyPatch, wanted: str | None, way: str) -> None:
    monkeypatch.delenv("SAMEWIRE_PY4J_DIALECT", raising=False)
    if wanted is not None:
        monkeypatch.setenv("SAMEWIRE_PY4J_DIALECT", wanted)
    gateway = JavaGateway(gateway_parameters=parameters(ports))
    try:
        assert used(gateway) == way
    finally:
        gateway.close()


def test_a_client_that_cannot_reach_the_socket_uses_the_port(ports: Ports) -> None:
    path = Path(offered(ports).address.removeprefix("unix:"))
    away = path.with_name("away")
    path.rename(away)
    try:
        gateway = JavaGateway(gateway_parameters=parameters(ports))
        assert used(gateway) == "<Gateway, tcp>"
        gateway.close()
    finally:
        away.rename(path)


def offered(ports: Ports) -> _Offer:
    """What the server says, in text."""
    os.environ["SAMEWIRE_PY4J_DIALECT"] = "text"
    text = JavaGateway(gateway_parameters=parameters(ports))
    try:
        offer = _Offer.of(str(text.jvm.io.samewire.py4j.Dialect.offer()))
        assert offer is not None
        return offer
    finally:
        text.close()
        del os.environ["SAMEWIRE_PY4J_DIALECT"]


def test_the_port_checks_the_token_in_both_dialects(ports: Ports) -> None:
    offer = offered(ports)
    address = f"tcp://127.0.0.2:{ports.plain}"
    with bridge.connect(address, token=offer.token) as gateway:
        assert gateway.jvm.java.lang.Math.max(1, 2) == 2
    for wrong in (bytes(32), b"secret", b""):
        with pytest.raises(SamewireError):
            bridge.connect(address, token=wrong)
    with socket.create_connection(("127.0.0.2", ports.plain), 60) as stranger:
        # The length of a hello, and then none.
        stranger.sendall(b"\x04\x00\x00\x00c\nt\n")
        while stranger.recv(4096):
            pass


@pytest.mark.parametrize(("wanted", "way"), [(None, "<Gateway, shared-memory>"), ("port", "<Gateway, tls>")])
def test_a_port_with_tls_has_both_dialects(ports: Ports, monkeypatch: pytest.MonkeyPatch, wanted: str | None, way: str) -> None:
    monkeypatch.setenv("SAMEWIRE_PY4J_DIALECT", wanted or "")
    context = ssl.create_default_context(cafile=ports.certificate)
    gateway = JavaGateway(gateway_parameters=parameters(ports, address="127.0.0.1", port=ports.secured, ssl_context=context))
    try:
        assert used(gateway) == way
    finally:
        gateway.close()


def test_an_offer_s_address_may_have_blanks() -> None:
    assert _Offer.of("samewire 1 7 unix:/a folder/of  mine/gateway 00ff") == (7, "unix:/a folder/of  mine/gateway", "00ff")
    assert _Offer.of("samewire 1 7 - 00ff") == (7, "-", "00ff")
    for other in ("", "samewire 2 7 - 00ff", "samewire 1 7 00ff", "samewire 1 x - 00ff", "no such class"):
        assert _Offer.of(other) is None
