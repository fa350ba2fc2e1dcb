"""The jar with Py4J's public classes: it holds these and ours alone, and finds the bridge's jar beside it."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from house import bridge_jar, py4j_jar

PROGRAM = """
public class Program {
    public static void main(String[] arguments) throws Exception {
        py4j.GatewayServer server = new py4j.GatewayServer(null, 0);
        server.start();
        try (java.net.Socket socket = new java.net.Socket("127.0.0.1", server.getListeningPort())) {
            socket.getOutputStream().write("c\\nz:io.samewire.py4j.Dialect\\noffer\\ne\\n".getBytes());
            String answer = new java.io.BufferedReader(new java.io.InputStreamReader(socket.getInputStream())).readLine();
            if (!answer.startsWith("!yssamewire 1 ")) throw new AssertionError(answer);
        }
        server.shutdown();
    }
}
"""


@pytest.fixture(scope="module")
def jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("jars")
    bridge_jar.write(folder / "samewire-bridge.jar", bridge_jar.entries())
    bridge_jar.write(folder / "samewire-py4j.jar", py4j_jar.entries())
    return folder / "samewire-py4j.jar"


def test_every_class_is_py4j_s_or_ours(jar: Path) -> None:
    with zipfile.ZipFile(jar) as archive:
        names = [name for name in archive.namelist() if name.endswith(".class")]
    assert "py4j/GatewayServer.class" in names and "io/samewire/py4j/NativeOperations.class" in names
    assert all(name.startswith(("py4j/", "io/samewire/py4j/")) for name in names)


def test_it_finds_the_bridge_beside_it(jar: Path, tmp_path: Path) -> None:
    (tmp_path / "Program.java").write_text(PROGRAM, "utf-8")
    run("javac", "-cp", str(jar), "-d", str(tmp_path), str(tmp_path / "Program.java"))
    run("java", "-cp", f"{jar}:{tmp_path}", "Program")


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
