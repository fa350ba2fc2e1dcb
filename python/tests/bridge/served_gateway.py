"""A gateway's program that runs already, to connect to."""

from __future__ import annotations

import os
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gateway_fixtures import SHORT
from samewire import bridge
from samewire.bridge.java_program import gateway_jar, java_program
from samewire.bridge.process import Process

TOKEN = bytes(range(32))

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


TRANSPORTS = ["shared-memory", "unix", "tcp"]


def listens(place: Path) -> bool:
    """Whether a gateway listens on a socket, or has written its port to a file. A socket is bound before it listens."""
    if not place.is_socket():
        return place.is_file()
    with socket.socket(socket.AF_UNIX) as asked:
        return asked.connect_ex(str(place)) == 0


@contextmanager
def served(place: Path, *listen: str) -> Iterator[None]:
    """A gateway's program, until the end of the block."""
    process = Process()
    try:
        process.start([java_program(), "-cp", gateway_jar(), "io.samewire.bridge.GatewayMain", *listen])
        process.say(TOKEN.hex() + "\n")
        deadline = time.monotonic() + 60
        while not listens(place):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.005)
        yield
    finally:
        process.end_input()
        process.wait(10)


class Served:
    """A gateway that sessions of a transport are opened with."""

    def __init__(self, transport: str, place: Path) -> None:
        self.transport = transport
        self._place = place

    def connect(self) -> bridge.Gateway:
        address = f"tcp://127.0.0.1:{self._place.read_text().strip()}" if self.transport == "tcp" else f"unix:{self._place}"
        return bridge.connect(address, token=TOKEN, shared_memory=self.transport == "shared-memory")


@contextmanager
def served_by(transport: str, folder: Path) -> Iterator[Served]:
    """A gateway's program that takes sessions of a transport, until the end of the block."""
    private = folder / "private"
    private.mkdir(0o700)
    place = private / "gateway"
    listen = ["--tcp", "127.0.0.1:0", "--port-file"] if transport == "tcp" else ["--unix"]
    with served(place, *listen, str(place)):
        yield Served(transport, place)


@contextmanager
def served_by_tls(folder: Path) -> Iterator[tuple[int, ssl.SSLContext, int]]:
    """A gateway's program on a port of TLS, until the end of the block: the port, what trusts it, and its process."""
    keys, certificate, source = folder / "keys.p12", folder / "certificate.pem", folder / "Server.java"
    source.write_text(SERVER)
    keytool = Path(os.path.realpath(java_program())).with_name("keytool")
    store = ["-keystore", str(keys), "-storepass", "secret", "-alias", "server"]
    made = [*store, "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1", "-validity", "2"]
    subprocess.run([keytool, *SHORT, "-genkeypair", *made], check=True, capture_output=True, timeout=60)
    subprocess.run(
        [keytool, *SHORT, "-exportcert", "-rfc", "-file", str(certificate), *store], check=True, capture_output=True, timeout=60
    )
    command = [java_program(), "-XX:TieredStopAtLevel=1", "-cp", gateway_jar(), str(source), str(keys)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline().strip().rpartition(":")[2])
            yield port, ssl.create_default_context(cafile=str(certificate)), process.pid
        finally:
            process.stdin.close()
            process.wait(10)
