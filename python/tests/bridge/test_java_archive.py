"""The archive of a JVM's classes: when it is written, used and left alone."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from samewire import bridge
from samewire.bridge.archives import archive_options, write_behind
from samewire.bridge.java_program import JAR, java_program
from samewire.cli import main


@pytest.fixture(autouse=True)
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests of this folder want none: see `conftest`."""
    monkeypatch.delenv("SAMEWIRE_BRIDGE_ARCHIVE")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a cache with an archive."""
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        patch.delenv("SAMEWIRE_BRIDGE_ARCHIVE")
        bridge.archive()
    return cache


@pytest.fixture
def cache(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(made))
    return made


def file(cache: Path) -> Path:
    """The archive; one that is being written has a longer name."""
    (only,) = (cache / "samewire").glob("*.jsa")
    return only


def awaited(cache: Path) -> Path:
    """The archive that a process left behind writes."""
    path = file(cache)
    until = time.monotonic() + 60
    while path.stat().st_size == 0 and time.monotonic() < until:
        time.sleep(0.02)
    return path


def arguments() -> list[str]:
    with bridge.launch() as gateway:
        assert gateway.java.lang.Math.abs(-1) == 1
        assert gateway.process is not None
        return list(gateway.process.args)


def test_an_archive_is_the_user_s_alone_and_mapped_by_the_jvm(cache: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = file(cache)
    assert (path.parent.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    with bridge.launch() as gateway:
        assert gateway.java.lang.Math.abs(-1) == 1
        assert gateway.process is not None
        assert str(path) in Path(f"/proc/{gateway.process.pid}/maps").read_text()
    assert capfd.readouterr() == ("", "")


def test_a_program_s_class_path_and_options_go_with_it(cache: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with bridge.launch(str(tmp_path), options=("-Xmx200m", f"-Xbootclasspath/a:{tmp_path}", "-XX:+UseSerialGC")) as gateway:
        assert gateway.java.lang.Math.abs(-1) == 1
    assert capfd.readouterr() == ("", "")


def test_whoever_wants_none_gets_none(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMEWIRE_BRIDGE_ARCHIVE", "off")
    for cache in (made, tmp_path):
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        assert not any("SharedArchiveFile" in argument for argument in arguments())
    assert list(tmp_path.iterdir()) == []


def test_the_first_gateway_leaves_one_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = arguments()
    assert f"-Xbootclasspath/a:{JAR}" in first
    path = awaited(tmp_path)
    assert (path.parent.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    with bridge.launch(options=f"-Xlog:class+load:file={tmp_path}/loaded") as gateway:
        assert gateway.java.lang.Math.max(1, 2) == 2
        assert gateway.process is not None
        assert str(path) in Path(f"/proc/{gateway.process.pid}/maps").read_text()
        assert not any(argument.startswith("-Xbootclasspath") for argument in gateway.process.args)
    loaded = (tmp_path / "loaded").read_text().splitlines()
    ours = [line for line in loaded if " io.samewire." in line and "program.Direct/" not in line]
    assert len(ours) > 60
    assert [line for line in ours if not line.endswith("(top)")] == []
    assert file(tmp_path) == path
    assert capfd.readouterr() == ("", "")


def test_one_that_is_being_written_is_not_mapped_and_not_written_twice(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "samewire").mkdir(0o700)
    mark = tmp_path / "samewire" / file(made).name
    mark.touch(0o600)
    assert not any("SharedArchiveFile" in argument for argument in arguments())
    assert (file(tmp_path), mark.stat().st_size) == (mark, 0)


def test_options_of_the_environment_do_not_stop_who_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xno-such-option")
    write_behind([java_program(None), f"-Xbootclasspath/a:{JAR}"])
    assert awaited(tmp_path).stat().st_size > 0


def test_a_user_without_a_home_gets_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    write_behind([java_program(None), f"-Xbootclasspath/a:{JAR}"])
    assert list(tmp_path.iterdir()) == []


def test_where_none_can_be_written_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert not any("SharedArchiveFile" in argument for argument in arguments())
    folder = tmp_path / "samewire"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    arguments()
    assert list(folder.iterdir()) == []


def test_what_another_version_or_a_killed_process_left_is_swept(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = file(made).name
    folder = tmp_path / "samewire"
    folder.mkdir(0o700)
    for left in (f"{name[: name.rindex('-')]}-00000000.jsa", f"{name}.0011", "bridge-00000000-00000000.jsa"):
        (folder / left).touch(0o600)
        os.utime(folder / left, (0, 0))
    (folder / f"{name}.2233").touch(0o600)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    bridge.archive()
    assert {path.name for path in folder.iterdir()} == {name, f"{name}.2233", "bridge-00000000-00000000.jsa"}


@pytest.mark.parametrize(
    "option", ["-Xshare:off", "-XX:SharedArchiveFile=/tmp/other.jsa", "-XX:ArchiveClassesAtExit=x", "-XX:+UseZGC"]
)
def test_options_of_the_program_s_own_go_before(cache: Path, option: str) -> None:
    assert archive_options(java_program(None), [option]) == ()
    assert archive_options(java_program(None), ["-Xmx1g"]) != ()


def test_an_archive_to_which_others_may_write_is_left_alone(cache: Path) -> None:
    path = file(cache)
    for place, mode in ((path, 0o600), (path.parent, 0o700)):
        place.chmod(mode | 0o020)
        assert archive_options(java_program(None), ()) == ()
        place.chmod(mode)
    assert archive_options(java_program(None), ()) != ()


def test_an_archive_behind_a_link_or_of_another_user_is_left_alone(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "samewire"
    folder.mkdir(0o700)
    (folder / file(made).name).symlink_to(file(made))
    assert archive_options(java_program(None), ()) == ()
    monkeypatch.setenv("XDG_CACHE_HOME", str(made))
    assert archive_options(java_program(None), ()) != ()
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert archive_options(java_program(None), ()) == ()


def test_an_archive_of_another_jar_or_java_is_not_used_and_not_spoken_of(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "samewire"
    folder.mkdir(0o700)
    other = folder / file(made).name
    other.write_bytes(b"not an archive")
    other.chmod(0o600)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert f"-XX:SharedArchiveFile={other}" in arguments()
    assert capfd.readouterr() == ("", "")


def test_the_command_writes_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["bridge", "archive"]) == 0
    assert capsys.readouterr().err == f"wrote {file(tmp_path)}\n"
    assert main(["bridge", "archive", "--java", str(tmp_path)]) == 1
    assert "neither a program nor a home of Java" in capsys.readouterr().err


def test_a_folder_to_which_others_may_write_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "samewire"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(bridge.SamewireError, match=r"^misuse: .* belongs to others, or they may write to it"):
        bridge.archive()
    assert list(folder.iterdir()) == []
