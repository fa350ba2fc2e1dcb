"""What is emitted for Java compiles without a warning."""

from __future__ import annotations

import subprocess
from pathlib import Path

from emitted import SCHEMAS
from samewire.pack.emit.conformance import java_files, write_files
from samewire.pack.emit.definitions import file_for
from samewire.pack.schema import Schema

SOURCES = Path(__file__).parents[2] / "java/pack/src/main/java"


def compile_java(folder: Path) -> None:
    sources = [str(path) for path in folder.rglob("*.java")]
    # The library's own sources are compiled too, as far as the types need them: its packages, not the module that they are.
    library = folder / "library"
    library.mkdir()
    (library / "io").symlink_to(SOURCES / "io")
    run = subprocess.run(
        [
            *("javac", "-proc:none", "-encoding", "UTF-8", "-Xlint:all,-serial,-path", "-Werror"),
            *("-implicit:none", "-sourcepath", str(library), "-d", str(folder / "classes"), *sources),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-4000:]


def test_every_shape_compiles(tmp_path: Path) -> None:
    assert write_files(java_files(SCHEMAS), tmp_path) == len(SCHEMAS) + 1
    compile_java(tmp_path)


def test_files_that_stay_the_same_are_not_touched(tmp_path: Path) -> None:
    files = java_files(SCHEMAS)
    write_files(files, tmp_path)
    assert write_files(files, tmp_path) == 0
    gone = files | {}
    del gone["io/samewire/conformance/S1.java"]
    assert write_files(gone, tmp_path) == 1
    assert not (tmp_path / "io/samewire/conformance/S1.java").exists()


def test_a_file_without_a_package(tmp_path: Path) -> None:
    schema = Schema.parse('list<struct movie { "Release Date": option<date>, ids: option<list<i32>> }>')
    name, text = file_for(schema, "java", "movie types")
    assert name == "MovieTypes.java"
    assert '@Name("movie")\n    public record Movie(' in text
    assert '@Name("Release Date") @Nullable LocalDate releaseDate' in text
    assert "int @Nullable [] ids" in text
    (tmp_path / name).write_text(text, "utf-8")
    compile_java(tmp_path)
