"""Our jar in Py4J's place: what a client that speaks the bridge's dialect finds on a Py4J server's port."""

from __future__ import annotations

import shutil
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import samewire.py4j
from py4j.java_gateway import GatewayParameters, JavaGateway
from samewire import bridge
from samewire.errors import SamewireError

if TYPE_CHECKING:
    from collections.abc import Iterator

JAR = Path(samewire.py4j.__file__).parent / "samewire-py4j.jar"

PROGRAM = """
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

public class Program {
    static py4j.GatewayServer server;
    public String name = "entry";

    public static void main(String[] arguments) throws Exception {
        server = new py4j.GatewayServer.GatewayServerBuilder(new Program()).javaPort(0).authToken("secret").build();
        server.start();
        System.out.println(server.getListeningPort());
        System.in.read();
        server.shutdown();
    }

    @SuppressWarnings("unchecked")
    public String ask(String text) {
        Object python = server.getPythonServerEntryPoint(new Class<?>[] {Function.class, IntUnaryOperator.class});
        return ((Function<String, String>) python).apply(text) + ((IntUnaryOperator) python).applyAsInt(1);
    }
}
"""


class EntryPoint:
    """Python's entry point, which may be called by any name."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def call(self, method: str, arguments: list[Any]) -> Any:
        self.threads.append(threading.get_ident())
        return f"{method} {arguments[0]} " if method == "apply" else arguments[0] + 1

    class Java:
        implements = ["io.samewire.py4j.PythonEntryPoint"]  # noqa: RUF012


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("program")
    (folder / "Program.java").write_text(PROGRAM, "utf-8")
    javac = shutil.which("javac")
    assert javac is not None
    subprocess.run([javac, "-cp", str(JAR), "-d", str(folder), str(folder / "Program.java")], check=True, timeout=120)
    command = ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{JAR}:{folder}", "Program"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        yield int(program.stdout.readline())
        program.communicate(b"\n", timeout=60)
    assert program.returncode == 0


def offer(port: int) -> list[str]:
    """The words of the offer, asked for over the text protocol."""
    text = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token="secret"))
    try:
        return str(text.jvm.io.samewire.py4j.Dialect.offer()).split(" ")
    finally:
        text.close()


def test_both_dialects_reach_the_same_server(port: int) -> None:
    name, version, number, address, token = offer(port)
    assert (name, version) == ("samewire", "1") and offer(port)[2:] == [number, address, token]
    with bridge.connect(address, token=token) as gateway:
        operations = gateway.jvm.io.samewire.py4j.NativeOperations
        assert operations.gateway(int(number)).getListeningPort() == port
        assert operations.entryPoint(int(number)).name == "entry"
        assert operations.resolve(["java.util.*"], "ArrayList") == "class java.util.ArrayList"
        assert operations.memberKind("java.lang.Math", "max") == "method"
        assert operations.help("java.lang.Object", None, True).startswith("Help on class Object in package java.lang:")
        assert gateway.jvm.java.lang.System.getProperty("java.version")


def test_java_finds_python_s_entry_point(port: int) -> None:
    _, _, number, address, token = offer(port)
    with bridge.connect(address, token=token) as gateway:
        operations = gateway.jvm.io.samewire.py4j.NativeOperations
        python = EntryPoint()
        operations.pythonEntryPoint(int(number), python)
        assert operations.entryPoint(int(number)).ask("hello") == "apply hello 2"
        assert set(python.threads) == {threading.get_ident()}
        operations.pythonEntryPoint(int(number), None)


def test_the_offer_s_token_is_checked(port: int) -> None:
    _, _, _, address, _ = offer(port)
    with pytest.raises(SamewireError, match="token"):
        bridge.connect(address, token=bytes(32))
