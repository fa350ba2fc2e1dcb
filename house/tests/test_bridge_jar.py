"""The jar that lies in the Python package: complete, and with no name in it that a program may have too."""

from __future__ import annotations

import os
import struct
import subprocess
import zipfile
from pathlib import Path

import pytest

from house import bridge_jar, redis_jar

PROGRAM = """
public class Program {
    public record Book(String id, int year) {}
    public static void main(String[] arguments) {
        // A codec is compiled by ASM.
        var codec = io.samewire.pack.Pack.codec(Book.class);
        if (codec.decode(codec.encode(new Book("1001", 974))).year() != 974) throw new AssertionError();
    }
}
"""


@pytest.fixture(scope="module")
def jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("jar") / "samewire-bridge.jar"
    bridge_jar.write(path, bridge_jar.entries())
    return path


def test_a_moved_name_changes_nothing_else() -> None:
    texts = [b"org/objectweb/asm/ClassWriter", b"[Lorg/objectweb/asm/Type;", b"java/lang/Object", b"org.objectweb.asm"]
    constants = b"".join(struct.pack(">BH", 1, len(text)) + text for text in texts)
    # A long takes two places; what follows is found all the same.
    head = b"\xca\xfe\xba\xbe\0\0\0\x3d" + struct.pack(">H", len(texts) + 4)
    tail = b"\x07\0\x01" + b"rest org/objectweb/asm"
    file = head + b"\x05" + bytes(8) + constants + tail
    moved = bridge_jar.relocated(file)
    assert moved.endswith(tail) and moved.startswith(head + b"\x05" + bytes(8))
    assert b"io/samewire/bundled/asm/ClassWriter" in moved and b"[Lio/samewire/bundled/asm/Type;" in moved
    assert b"io.samewire.bundled.asm" in moved and b"java/lang/Object" in moved


def test_every_class_is_ours(jar: Path) -> None:
    with zipfile.ZipFile(jar) as archive:
        names = [name for name in archive.namelist() if name.endswith(".class")]
        # One class is the class path's alone: where the jar is on the boot class path too, that must not find it.
        released = [name for name in names if name.startswith(bridge_jar.RELEASE)]
        assert f"{bridge_jar.RELEASE}{bridge_jar.PROGRAM}ProgramCaller.class" in released
        names = [name.removeprefix(bridge_jar.RELEASE) for name in names]
        assert all(name.startswith("io/samewire/") for name in names)
        assert {"core", "pack", "bridge", "bundled"} == {name.split("/")[2] for name in names}
        for name in names:
            path = name if name in archive.namelist() else bridge_jar.RELEASE + name
            assert b"org/objectweb/asm" not in archive.read(path), name
        assert b"INRIA" in archive.read("META-INF/LICENSE-asm")


def test_the_same_classes_give_the_same_bytes(jar: Path) -> None:
    written = (jar.read_bytes(), jar.stat().st_ino)
    bridge_jar.write(jar, bridge_jar.entries())
    assert (jar.read_bytes(), jar.stat().st_ino) == written


def test_it_runs_alone(jar: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    run("java", "-cp", str(jar), "io.samewire.bridge.GatewayMain", "--rehearse", str(own / "gateway.sock"))
    (tmp_path / "Program.java").write_text(PROGRAM, "utf-8")
    run("javac", "-cp", str(jar), "-d", str(tmp_path), str(tmp_path / "Program.java"))
    run("java", "-cp", f"{jar}{os.pathsep}{tmp_path}", "Program")


def test_the_command_line_of_redis_runs_alone(tmp_path: Path) -> None:
    jar = tmp_path / "samewire-redis.jar"
    bridge_jar.write(jar, redis_jar.entries())
    run("java", "-jar", str(jar), "--help")


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
