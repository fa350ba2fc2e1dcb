"""Type stubs of Java's classes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from samewire import bridge
from samewire.bridge.stubs.signatures import signature_of
from samewire.cli import main

#: What mypy has read of the standard library and of the package; kept, like that of the linter.
CACHE = Path(__file__).parents[3] / "build/mypy/stubs"
PROGRAM = """
from gateway.java.util import ArrayList, Collections, HashMap, Map, Optional, TreeSet
from gateway.java.io import IOException
from gateway.tested import Names

names = ArrayList(["b", "a"])
names.add("c")
reveal_type(names.size())
reveal_type(names.isEmpty())
reveal_type(Names.CONSTANT)
reveal_type(Names.Colour.RED.next())
reveal_type(Names().from_())
ages = HashMap({"Ann": 30})
entry: Map.Entry | None = None
for name in names:
    print(name, names[0], names[1:], len(ages), ages["Ann"])
try:
    Names.with_("x")
except IOException as error:
    print(error.message)
names.vanish()
for text in ArrayList[str]():
    reveal_type(text)
reveal_type(names)
reveal_type(names.get(0))
reveal_type(names[1:])
reveal_type(names.iterator())
reveal_type(ages["Ann"])
for name, age in ages.items():
    reveal_type((name, age))
for entry in ages.entrySet():
    reveal_type(entry.getValue())
reveal_type(Collections.unmodifiableList(names))
reveal_type(Optional.of(3))
reveal_type(TreeSet[int]().first())
names.add(3)
anything = ArrayList()
"""

#: What is revealed, without the names of modules.
TYPES = [
    "int",
    "bool",
    "str",
    "Names.Colour",
    "str",
    "str",
    "ArrayList[str]",
    "str",
    "List[str]",
    "Iterator[str]",
    "int",
    "tuple[str, int]",
    "int",
    "List[str]",
    "Optional[int]",
    "int",
]


@pytest.mark.long
def test_mypy_knows_what_stubs_say(classes: Path, tmp_path: Path) -> None:
    out = tmp_path / "typings"
    code = main(["bridge", "stubs", "java.util", "java.io", "tested", "--out", str(out), "--classpath", str(classes)])
    assert code == 0
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    python = Path(__file__).parents[2]

    def mypy(*what: str) -> str:
        run = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(CACHE), *what],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={"MYPYPATH": f"{out}:{python}", "PATH": "/usr/bin:/bin"},
            cwd=tmp_path,
        )
        return run.stdout

    said = mypy(str(program))
    revealed = [line.partition("Revealed type is ")[2].strip('"') for line in said.splitlines() if "Revealed" in line]
    assert [re.sub(r"\b(builtins|gateway\.tested|gateway\.java\.util)\.", "", line) for line in revealed] == TYPES, said
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert len(errors) == 2, said
    assert "vanish" in errors[0]
    assert '"add" of "ArrayList" matches argument type "int"' in errors[1]
    assert mypy("--package", "gateway").startswith("Success")


@pytest.mark.parametrize(
    ("text", "variables", "owner", "name", "parameters", "result"),
    [
        ("public int java.util.ArrayList.size()", (), "java.util.ArrayList", "size", [], "int"),
        (
            "public java.util.ArrayList(java.util.Collection<? extends E>)",
            (),
            "java.util.ArrayList",
            "__init__",
            ["java.util.Collection"],
            "void",
        ),
        (
            "public static <T extends java.lang.Object & java.lang.Comparable<? super T>> T java.util.Collections.max(java.util.List<T[]>)",
            ("T",),
            "java.util.Collections",
            "max",
            ["java.util.List"],
            "T",
        ),
        ("public final <K,V> a.B<K>.C<V>[] a.B$C.of(K,V[]...) throws X", ("K", "V"), "a.B$C", "of", ["K", "V[][]"], "a.B$C[]"),
    ],
)
def test_generic_signatures_are_read(
    text: str, variables: tuple[str, ...], owner: str, name: str, parameters: list[str], result: str
) -> None:
    found = signature_of(text)
    assert (found.variables, found.owner, found.name) == (variables, owner, name)
    assert ([one.raw for one in found.parameters], found.result.raw) == (parameters, result)


def test_classes_take_types_in_brackets(gateway: bridge.Gateway) -> None:
    lists = gateway.java.util.ArrayList
    assert lists[str] is lists
    assert gateway.java.util.HashMap[str, int]().isEmpty()
    with pytest.raises(TypeError, match="not an enum"):
        lists["RED"]


def test_a_name_that_is_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bridge", "stubs", "no.such.thing", "--out", str(tmp_path)]) == 1
    assert "no.such.thing" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["bridge", "stubs", "java.util.ArrayList", "--out", str(file / "typings")]) == 1
    assert capsys.readouterr().err == f"samewire: {file / 'typings' / 'gateway'}: Not a directory\n"
