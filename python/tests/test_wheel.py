"""The wheel: built for one interpreter and machine, with types that check a user's program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

PACKAGE = Path(__file__).parents[1]
PROGRAM = """
from dataclasses import dataclass
from typing import Annotated, assert_type

from samewire import pack


@dataclass(slots=True, frozen=True)
class Book:
    id: str
    year: Annotated[int, pack.I32]


codec = pack.codec(list[Book])
data = codec.encode([Book("1001", 1974)])
assert_type(data, bytes)
assert_type(codec.decode(data)[0].year, int)
assert_type(codec.resolve(codec.schema).decode(data), list[Book])
assert_type(codec.encode_into([], bytearray()), int)
assert_type(pack.FrameScanner(pack.Limits(depth=8)).next(), bytes | None)
try:
    codec.decode(b"")
except pack.SamewireError as error:
    assert_type(error.at, int | None)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package's folder: building leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel") / "python"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("tests", "build", "*.egg-info", ".*", "__pycache__"))
    return folder


def wheel(source: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--wheel-dir",
        "wheels",
        ".",
    ]
    return subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)


def test_a_wheel_is_for_one_interpreter_and_machine_and_types_a_program(source: Path, tmp_path: Path) -> None:
    done = wheel(source)
    assert done.returncode == 0, done.stderr
    (made,) = (source / "wheels").glob("*.whl")
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    assert made.name == f"samewire-0.1.0-{version}-{version}-{platform}.whl"
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path / "site")
    assert (tmp_path / "site/samewire/py.typed").exists()
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    environment = {**os.environ, "MYPYPATH": str(tmp_path / "site"), "PYTHONPATH": str(tmp_path / "site")}
    for command in (["-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "program.py"], ["program.py"]):
        ran = subprocess.run(
            [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_no_wheel_without_the_library_and_what_it_is_compiled_from(source: Path) -> None:
    (source / "samewire/_native.so").unlink()
    done = wheel(source)
    assert done.returncode != 0 and "so is the Rust workspace" in done.stdout + done.stderr
