"""The runner of the README's examples: what it takes for an example, and that a wrong one fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from house.quickstart import DOCUMENTS, INCUMBENTS, PEERS, Example, Failed, Runner, examples, java_program, lacking, main
from house.tests.trees import plant

ROOT = Path(__file__).parents[2]

README = """\
# X

```python
not_a_quick_start()
```

## Quick start

### Python

```python
print(1 + 1)
```

It prints

```text
2
```

```toml
for = "reading"
```

```sh
echo two words
```

## After

```rust
fn main() { not_a_quick_start() }
```
"""


def python(text: str, output: str | None = None) -> Example:
    return Example("python", 1, text, output)


def test_only_marked_blocks_of_the_section_are_programs() -> None:
    assert examples(README) == [
        Example("python", 11, "print(1 + 1)\n", "2\n"),
        Example("sh", 25, "echo two words\n", None),
    ]


def test_output_must_equal_what_the_readme_says(tmp_path: Path) -> None:
    runner = Runner(tmp_path, sys.executable)
    runner.check(python("print(1 + 1)", "2\n"))
    with pytest.raises(Failed, match="the text says"):
        runner.check(python("print(1 + 1)", "3\n"))


def test_a_program_that_fails_fails_with_what_it_printed(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="boom"):
        Runner(tmp_path).check(python("raise SystemExit('boom')"))


TAKEN = """
import pathlib
starts = pathlib.Path("starts")
starts.write_text(starts.read_text() + "." if starts.exists() else ".")
if len(starts.read_text()) < 3:
    raise SystemExit("ValkeyServerStartupError: bind: Address already in use")
print(starts.read_text())
"""


def test_a_program_whose_server_lost_its_port_starts_again(tmp_path: Path) -> None:
    Runner(tmp_path, sys.executable).check(python(TAKEN, "...\n"))
    with pytest.raises(Failed, match="in use"):
        Runner(tmp_path, sys.executable).check(python(TAKEN.replace("< 3", "< 100"), "...\n"))


def test_shell_runs_in_one_folder_and_stops_at_the_first_error(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    runner.run(Example("sh", 1, "echo 'the format' > pack.md\n", None))
    runner.check(Example("sh", 5, "cat pack.md\n", "the format\n"))
    with pytest.raises(Failed):
        runner.run(Example("sh", 9, "false\ntrue\n", None))


def test_shell_starts_without_what_the_repository_and_earlier_runs_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(tmp_path, {"docs/pack.md": "```sh\necho 1 > build/x\n```\n", "build/y": ""})
    assert main(tmp_path, ["sh"], ["docs/pack.md"]) == 1
    assert "build/x: No such file or directory" in capsys.readouterr().err
    plant(tmp_path, {"docs/pack.md": "```sh\nmkdir build\necho 1 > build/x\n```\n"})
    assert main(tmp_path, ["sh"], ["docs/pack.md"]) == 0
    assert main(tmp_path, ["sh"], ["docs/pack.md"]) == 0


def test_all_of_a_chapter_is_run_and_shares_what_the_shell_writes(tmp_path: Path) -> None:
    chapter = "# Y\n\n```sh\nmkdir -p build/y\necho 'two = 2' > build/y/pair.py\n```\n\n## Z\n\n```python\nprint(1)\n```\n"
    shell, other = examples(chapter, None)
    assert other == Example("python", 10, "print(1)\n", None)
    runner = Runner(tmp_path, document="docs/y.md")
    runner.check(shell)
    runner.check(python("from pair import two\nprint(two)\n", "2\n"))


def test_shell_may_not_start_the_tests_again(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="console"):
        Runner(tmp_path).run(Example("sh", 1, "cd x\nmake test\n", None))


def test_a_java_fragment_becomes_a_program() -> None:
    name, program = java_program(
        "import java.util.List;\n\nrecord Book(String id, int year) {\n    int next() {\n        return year + 1;\n    }\n}\n"
        "enum Size { SMALL }\n\nvar books = List.of(new Book(\"a\", 1));\nSystem.out.println(books.get(0).next());\n"
    )  # fmt: skip
    assert name == "Example"
    assert program.startswith("import java.util.List;\n\npublic class Example {\n    static record Book(")
    assert "    static enum Size { SMALL }" in program
    assert '        var books = List.of(new Book("a", 1));' in program.split("main(String[] arguments)")[1]


def test_a_java_fragment_runs(tmp_path: Path) -> None:
    plant(tmp_path, {"java/pack/target/classpath.txt": "", "java/pack/target/classes/.keep": ""})
    text = "sealed interface Shape permits Dot {}\nrecord Dot(int x) implements Shape {}\n\nShape dot = new Dot(3);\nSystem.out.println(dot);\n"
    Runner(tmp_path).check(Example("java", 1, text, "Dot[x=3]\n"))


SERVER = """
System.out.println("Gateway.builder() " + System.getenv("GATEWAY_TOKEN").length());
System.in.read();
java.nio.file.Files.writeString(java.nio.file.Path.of("ended"), "");
"""


def test_a_program_that_connects_runs_beside_the_java_program_before_it(tmp_path: Path) -> None:
    plant(tmp_path, {"java/pack/target/classpath.txt": "", "java/pack/target/classes/.keep": ""})
    client = python("import os\nprint(len(os.environ['GATEWAY_TOKEN']))  # bridge.connect(\n", "64\n")
    runner = Runner(tmp_path)
    with pytest.raises(Failed, match="no Java program before it"):
        runner.check(client)
    runner.check(Example("java", 5, SERVER, None))
    runner.check(client)
    assert (tmp_path / "build/quickstart/README/line-5-java/ended").exists()
    runner.check(Example("java", 6, SERVER.replace("System.in.read()", "System.exit(3)"), None))
    with pytest.raises(Failed, match=r"before it failed \(3\)"):
        runner.check(client)


def test_a_java_program_keeps_its_own_name() -> None:
    text = "class Start {\n    public static void main(String[] arguments) {}\n}\n"
    assert java_program(text) == ("Start", text)


def test_a_readme_without_every_language_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tmp_path, {"README.md": "## Quick start\n\n```python\nprint(1)\n```\n"})
    assert main(tmp_path, documents=["README.md"]) == 1
    errors = capsys.readouterr().err
    assert "no `java` block" in errors and "no `ts` block" not in errors
    assert not (tmp_path / "build/executed/quickstart.json").exists()


def test_one_language_alone_leaves_out_a_chapter_that_needs_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chapter = "```sh\nmkdir -p build/changing-types\necho 2 > build/changing-types/two\n```\n\n```python\nprint(open('two').read())\n```\n"
    plant(tmp_path, {"docs/changing-types.md": chapter})
    assert main(tmp_path, ["python"], ["docs/changing-types.md"]) == 0
    assert "`sh` was not asked for" in capsys.readouterr().out
    assert main(tmp_path, ["python", "sh"], ["docs/changing-types.md"]) == 0
    assert "python runs as written" in capsys.readouterr().out


def test_a_program_before_the_shell_needs_none_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tmp_path, {"docs/redis.md": "```python\nprint(2)\n```\n\n```sh\ntrue\n```\n"})
    assert main(tmp_path, ["python"], ["docs/redis.md"]) == 0
    assert "python runs as written" in capsys.readouterr().out


def test_a_chapter_needs_no_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tmp_path, {"docs/own-types.md": "```python\nprint(2)\n```\n"})
    assert main(tmp_path, ["python", "sh"], ["docs/own-types.md"]) == 0
    assert main(tmp_path, ["python", "sh", "rust"], ["docs/own-types.md"]) == 1
    assert capsys.readouterr().err == "FAILED docs/own-types.md has no `rust` block to run\n"


def test_programs_of_the_readme_and_the_first_guides_compile_as_pasted() -> None:
    """Nothing is put around them: each in Java and Rust has its own main."""
    pages = ("README.md", "docs/pack.md", "docs/redis-java.md", "docs/bridge.md")
    found = [example for page in pages for example in examples((ROOT / page).read_text(), DOCUMENTS[page].section)]
    programs = [example for example in found if example.language in ("java", "rust")]
    assert len(programs) >= 6
    assert [program.line for program in programs if "main(" not in program.text] == []


def test_a_program_on_jpype_runs_in_the_environment_that_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tmp_path, {"docs/moving/jpype.md": "```python\nimport jpype\n```\n\n```text\nincumbent\n```\n"})
    assert main(tmp_path, [], ["docs/moving/jpype.md"]) == 0
    assert "left out: it runs on JPype" in capsys.readouterr().out
    plant(tmp_path, {INCUMBENTS: "#!/bin/sh\necho incumbent\n", "python/samewire/bridge/samewire-bridge.jar": ""})
    (tmp_path / INCUMBENTS).chmod(0o700)
    assert main(tmp_path, [], ["docs/moving/jpype.md"]) == 0
    assert "python runs as written" in capsys.readouterr().out


def test_a_program_on_a_library_of_the_labs_waits_for_its_class_path(tmp_path: Path) -> None:
    program = Example("java", 1, "import redis.clients.jedis.RedisClient;\n", None)
    assert "make peers" in lacking(tmp_path, program)
    plant(tmp_path, {PEERS["redis.clients.jedis"]: "jedis.jar"})
    assert lacking(tmp_path, program) == ""
