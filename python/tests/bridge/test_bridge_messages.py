"""What errors say of a Java that is too old, of classes that extend Java's, and of what a call leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest
from samewire import bridge
from samewire.bridge import java_program


def home(folder: Path, version: str, body: str = "exit 1") -> Path:
    """The home of a Java that says it has a version."""
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin/java"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="Somebody"\nJAVA_VERSION="{version}"\n')
    return folder


@pytest.mark.parametrize("version", ["11.0.22", "1.8.0_392", "16", "9-ea", "16.0.2+7"])
def test_a_java_that_is_too_old_is_named(tmp_path: Path, version: str) -> None:
    old = home(tmp_path / "old", version)
    for start in (bridge.launch, bridge.embed):
        with pytest.raises(
            bridge.SamewireError, match=f"{version.replace('+', '.')}, and the gateway needs Java 17 or newer"
        ) as caught:
            start(java=old)
        assert caught.value.code == "misuse"
        assert "JAVA_HOME" in str(caught.value)


@pytest.mark.parametrize("version", ["17", "21.0.1", "26-ea", "", "of my own"])
def test_no_other_java_is_called_old(tmp_path: Path, version: str) -> None:
    assert java_program.old_java(str(home(tmp_path / "new", version) / "bin/java")) is None
    with pytest.raises(bridge.SamewireError, match="ended with exit code 1") as caught:
        bridge.launch(java=tmp_path / "new")
    assert caught.value.code == "closed"


def test_a_class_below_one_of_javas_says_what_to_do(gateway: bridge.Gateway) -> None:
    util = gateway.java.util

    class ByLength(util.Comparator):  # type: ignore[misc,name-defined]
        pass

    class Mine(util.ArrayList):  # type: ignore[misc,name-defined]
        pass

    class Failed(gateway.java.io.IOException):  # type: ignore[misc,name-defined]
        pass

    with pytest.raises(
        TypeError, match=r"ByLength cannot extend java.util.Comparator: .*@bridge.implements\('java.util.Comparator'\)"
    ):
        ByLength()
    with pytest.raises(TypeError, match=r"Mine cannot extend java.util.ArrayList: .*extend java.util.ArrayList in Java"):
        Mine([1])
    with pytest.raises(TypeError, match=r"Failed cannot extend java.io.IOException"):
        Failed("text")
