"""Emitted Java compiles without warnings, and its classes compare by content."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from emitted import SCHEMAS
from samewire.pack.schema import Schema
from samewire.schema.emit import java
from samewire.schema.emit.definitions import file_for
from samewire.schema.emit.peers import java_files, write_files

JAVA = Path(__file__).parents[3] / "java"


def compile_java(folder: Path, implicit: str = "none") -> None:
    sources = [str(path) for path in folder.rglob("*.java")]
    # The library's own sources are compiled too, as far as the types need them: its packages, not the modules they are in.
    library = folder / "library/io/samewire"
    library.mkdir(parents=True)
    for part in ("core", "pack"):
        (library / part).symlink_to(JAVA / part / "src/main/java/io/samewire" / part)
    run = subprocess.run(
        [
            # What C2 would compile ends first.
            *("javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"),
            *("-proc:none", "-encoding", "UTF-8", "-Xlint:all,-serial,-path", "-Werror"),
            *(f"-implicit:{implicit}", "-sourcepath", str(folder / "library"), "-d", str(folder / "classes"), *sources),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-4000:]


@pytest.mark.compiler
def test_every_type_compiles(tmp_path: Path) -> None:
    assert write_files(java_files(SCHEMAS), tmp_path) == len(SCHEMAS) + 1
    compile_java(tmp_path)


def test_files_that_stay_the_same_are_not_touched(tmp_path: Path) -> None:
    files = java_files(SCHEMAS)
    write_files(files, tmp_path)
    assert write_files(files, tmp_path) == 0
    gone = files | {}
    del gone["io/samewire/peers/S1.java"]
    assert write_files(gone, tmp_path) == 1
    assert not (tmp_path / "io/samewire/peers/S1.java").exists()


@pytest.mark.compiler
def test_a_file_without_a_package(tmp_path: Path) -> None:
    schema = Schema.parse('list<struct movie { "Release Date": option<date>, ids: option<list<i32>> }>')
    name, text = file_for(schema, "java", "movie types")
    assert name == "MovieTypes.java"
    assert '@Name("movie")\n    public record Movie(' in text
    assert '@Name("Release Date") @Nullable LocalDate releaseDate' in text
    assert "int @Nullable [] ids" in text
    (tmp_path / name).write_text(text, "utf-8")
    compile_java(tmp_path)


WIDE = "struct Wide { " + ", ".join(f"n{i}: u8" for i in range(121)) + " }"
# Names that could hide what `equals` uses; arrays in every place that is not a record of its own.
HOLDER = (
    "struct Holder { java: list<i32>, same: list<list<f64>>, that: map<string, list<i64>>, other: option<bytes>, "
    f"hash: any, wide: list<{WIDE}>, pair: tuple<list<f32>, option<list<i16>>>, x: f64 }}"
)
COMPARING = """
import java.util.List;
import java.util.Map;

public class Comparing {
    static HolderTypes.Holder make(double inner, long inMap, double x, int wide, byte[] bytes) {
        HolderTypes.Wide last = new HolderTypes.Wide();
        last.n120 = (byte) wide;
        return new HolderTypes.Holder(new int[] {1, 2}, List.of(new double[] {inner}), Map.of("a", new long[] {inMap}), bytes,
            List.of(Map.of("b", new byte[] {7})), List.of(last), new HolderTypes.Tuple1(new float[] {1}, null), x);
    }

    public static void main(String[] arguments) {
        HolderTypes.Holder one = make(0.5, 1, 2, 3, new byte[] {4});
        HolderTypes.Holder equal = make(0.5, 1, 2, 3, new byte[] {4});
        System.out.println(one.equals(equal) + " " + (one.hashCode() == equal.hashCode()));
        for (HolderTypes.Holder other : List.of(make(0.25, 1, 2, 3, new byte[] {4}), make(0.5, 0, 2, 3, new byte[] {4}),
                make(0.5, 1, -2, 3, new byte[] {4}), make(0.5, 1, 2, 0, new byte[] {4}), make(0.5, 1, 2, 3, new byte[] {5}),
                make(0.5, 1, 2, 3, null))) {
            System.out.println(one.equals(other) + " " + other.equals(one) + " " + other.equals(other));
        }
    }
}
"""


@pytest.mark.compiler
def test_classes_compare_by_content(tmp_path: Path) -> None:
    name, text = file_for(Schema.parse(HOLDER), "java", "holder types")
    (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "Comparing.java").write_text(COMPARING, "utf-8")
    compile_java(tmp_path, "class")
    command = ["java", "-cp", str(tmp_path / "classes"), "Comparing"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == ["true true", *["false false true"] * 6]


def test_lists_of_numbers_may_stay_lists() -> None:
    text = java.emit(Schema.parse("list<list<u32>>"), "", "Rings", arrays=False)
    assert "TypeRef<List<List<@Unsigned Integer>>> TYPE" in text
