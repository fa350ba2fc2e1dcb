"""A gateway that the tests of this folder share, with the classes of `java/` on its class path."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from java_records import Book
from samewire import bridge

SOURCES = Path(__file__).with_name("java")
#: For a tool of the JDK that runs for a second: what C2 would compile ends first.
SHORT = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")


@pytest.fixture(scope="session")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled Java classes."""
    folder = tmp_path_factory.mktemp("classes")
    sources = sorted(map(str, SOURCES.rglob("*.java")))
    subprocess.run(["javac", *SHORT, "-Xlint:all", "-Werror", "-d", str(folder), *sources], check=True, timeout=120)
    return folder


@pytest.fixture(scope="session")
def gateway(classes: Path) -> Iterator[bridge.Gateway]:
    """A JVM for the whole session."""
    with bridge.launch(classes, records={Book: "tested.Books$Book"}, timeout=30) as made:
        yield made
