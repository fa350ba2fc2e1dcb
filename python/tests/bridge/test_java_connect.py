"""Gateways that run already: by unix socket, TCP and TLS."""

from __future__ import annotations

import os
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from samewire import bridge
from samewire.bridge.java_program import gateway_jar, java_program
from served_gateway import TOKEN, served

#: A program that offers itself by TLS, with an entry point, and writes its address.
SERVER = """
import io.samewire.bridge.Gateway;
import java.io.FileInputStream;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

public class Server {
  public static void main(String[] arguments) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (FileInputStream file = new FileInputStream(arguments[0])) {
      keys.load(file, "secret".toCharArray());
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    byte[] token = new byte[32];
    for (int i = 0; i < 32; i++) {
      token[i] = (byte) i;
    }
    try (Gateway gateway = Gateway.builder().tls(context, "127.0.0.1", 0).token(token).entryPoint(new StringBuilder("entry")).start()) {
      System.out.println(gateway.address());
      System.in.read();
    }
  }
}
"""


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough for sockets'."""
    with tempfile.TemporaryDirectory(prefix="sw", dir="/tmp") as folder:
        yield Path(folder)


def test_a_unix_socket(short: Path) -> None:
    private = short / "private"
    private.mkdir(0o700)
    place = private / "gateway.sock"
    with served(place, "--unix", str(place)):
        for shared in (True, False):
            with bridge.connect(f"unix:{place}", token=TOKEN, shared_memory=shared) as gateway:
                assert gateway.java.lang.Math.abs(-2) == 2
                assert gateway.process is None
                assert gateway.transport == ("shared-memory" if shared else "unix")
        with pytest.raises(bridge.SamewireError, match="misuse"):
            bridge.connect(f"unix:{place}", token=b"x" * 32)
        with bridge.connect(f"unix:{place}", token=TOKEN.hex()) as one, bridge.connect(f"unix:{place}", token=TOKEN) as two:
            assert one.java.util.ArrayList([1]) == [1]
            assert two.java.util.ArrayList is not one.java.util.ArrayList


def test_tcp(short: Path) -> None:
    place = short / "port"
    with (
        served(place, "--tcp", "127.0.0.1:0", "--port-file", str(place)),
        bridge.connect(f"tcp://127.0.0.1:{place.read_text().strip()}", token=TOKEN) as gateway,
    ):
        assert gateway.java.util.ArrayList(list(range(1000))).to_py() == list(range(1000))
        assert gateway.transport == "tcp"


@pytest.mark.long
def test_tls(short: Path) -> None:
    keys, certificate, source = short / "keys.p12", short / "certificate.pem", short / "Server.java"
    source.write_text(SERVER)
    keytool = Path(os.path.realpath(java_program())).with_name("keytool")
    store = ["-keystore", str(keys), "-storepass", "secret", "-alias", "server"]
    made = [*store, "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "2"]
    subprocess.run([keytool, "-genkeypair", *made], check=True, capture_output=True, timeout=60)
    subprocess.run(
        [keytool, "-exportcert", "-rfc", "-file", str(certificate), *store], check=True, capture_output=True, timeout=60
    )
    command = [java_program(), "-cp", gateway_jar(), str(source), str(keys)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = process.stdout.readline().strip().rpartition(":")[2]
            context = ssl.create_default_context(cafile=str(certificate))
            with bridge.connect(f"tls://127.0.0.1:{port}", token=TOKEN, ssl_context=context) as gateway:
                assert gateway.transport == "tls"
                assert gateway.java.util.ArrayList(["x" * 100_000]).get(0) == "x" * 100_000
                assert str(gateway.entry_point) == "entry"
                with pytest.raises(bridge.SamewireError, match="unsupported"):
                    gateway.java.lang.Runtime.getRuntime()
            with pytest.raises(ssl.SSLError):
                bridge.connect(f"tls://127.0.0.1:{port}", token=TOKEN)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(10)
