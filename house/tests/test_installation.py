"""Each row of the README's Installation, on a clean clone, alone, with nothing but its own language's tools on PATH."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: What every system has: a shell, its small programs, a compiler's driver and git.
SYSTEM = ("/usr/bin", "/bin")
#: Programs of the languages that may lie in the system's folders, too.
TOOLS = ("cargo", "rustc", "java", "javac", "mvn", "node", "npm", "npx", "python3", "python3.11", "pip")

pytestmark = pytest.mark.hard


def only(folder: Path, tools: Iterable[str]) -> str:
    """A PATH with links to all programs of the system but those of languages, and to `tools`."""
    folder.mkdir()
    for place in SYSTEM:
        for program in Path(place).iterdir():
            if program.name not in TOOLS and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
    for tool in tools:
        found = shutil.which(tool)
        assert found is not None, f"{tool} is needed on PATH"
        (folder / tool).symlink_to(found)
    return str(folder)


def clone(folder: Path) -> Path:
    """A clean clone, called `samewire` as the README calls it."""
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(folder / "samewire")], check=True)
    return folder


def row(language: str) -> str:
    """The command, or the text, of a row of the README's table."""
    section = (ROOT / "README.md").read_text().partition("## Installation")[2].partition("\n## ")[0]
    found = re.search(rf"^\| {language} \| (.*) \| [^|]* \|$", section, re.MULTILINE)
    assert found, f"Installation has no row for {language}"
    return found[1]


def guide(language: str) -> str:
    """What docs/pack.md has under the heading of a language."""
    return (ROOT / "docs/pack.md").read_text().partition(f"\n## {language}\n")[2].partition("\n## ")[0]


def block(mark: str, text: str) -> str:
    """The first fenced block with a mark."""
    found = re.search(rf"^```{mark}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert found, f"there is no {mark}"
    return found[1]


def command(language: str) -> list[str]:
    """The first piece of code of a row, as words."""
    found = re.search(r"`([^`]+)`", row(language))
    assert found
    return found[1].split()


def run(words: list[str], folder: Path, path: str, **more: str) -> str:
    environment = {name: os.environ[name] for name in ("HOME", "JAVA_HOME", "CARGO_HOME", "RUSTUP_HOME") if name in os.environ}
    environment |= {"PATH": path, "LC_ALL": "C.UTF-8", **more}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def test_python(tmp_path: Path) -> None:
    home = clone(tmp_path)
    path = only(tmp_path / "bin", ("cargo", "rustc"))
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    words = command("Python")
    assert words[0] == "pip"
    # Without optimisation the same sources compile in a quarter of the time.
    quick = {
        "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
        "CARGO_PROFILE_RELEASE_LTO": "off",
        "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
    }
    run([str(tmp_path / "venv/bin/pip"), *words[1:]], home, path, **quick)
    python = str(tmp_path / "venv/bin/python")
    program = "from samewire import pack, redis, bridge; c = pack.codec(list[int]); print(c.decode(c.encode([1, 974])))"
    assert run([python, "-c", program], tmp_path, path) == "[1, 974]\n"
    # Without a JDK there is no jar, and the error of `launch` says what to do.
    refused = "from samewire import bridge\ntry: bridge.launch()\nexcept bridge.SamewireError as error: print(error)"
    with_java = only(tmp_path / "with-java", ("java",))
    assert "install samewire again" in run([python, "-c", refused], tmp_path, with_java)


def test_java(tmp_path: Path) -> None:
    home = clone(tmp_path)
    path = only(tmp_path / "bin", ("java", "javac", "mvn"))
    (tmp_path / "bin/python3").symlink_to(sys.executable)
    words = command("Java")
    assert words[0] == "mvn"
    repository = tmp_path / "repository"
    shutil.copytree(Path.home() / ".m2/repository", repository, ignore=shutil.ignore_patterns("samewire*"))
    run([*words, "-q", "-B", f"-Dmaven.repo.local={repository}"], home, path)
    for artifact in re.findall(r"`(?:io\.samewire:)?(samewire-\w+)", row("Java")):
        assert list((repository / "io/samewire" / artifact).rglob("*.jar")), artifact
    # A project of its own, as the guide of pack describes it.
    project = tmp_path / "project"
    (project / "src/main/java").mkdir(parents=True)
    (project / "pom.xml").write_text(block("xml", guide("Java")))
    (project / "src/main/java/Books.java").write_text(block("java", guide("Java")))
    found = re.search(r"^`(mvn [^`]+)`\.$", guide("Java"), re.MULTILINE)
    assert found
    printed = run([*found[1].split(), "-B", f"-Dmaven.repo.local={repository}"], project, path)
    assert block("text", guide("Java")) in printed


def test_rust(tmp_path: Path) -> None:
    home = clone(tmp_path)
    path = only(tmp_path / "bin", ("cargo", "rustc"))
    line = re.search(r"`(samewire-pack = [^`]+)`", row("Rust"))
    assert line
    (home / "src").mkdir()
    (home / "src/main.rs").write_text(
        "#[derive(samewire_pack::Pack)] struct Book { year: i32 }\n"
        'fn main() { println!("{}", samewire_pack::Codec::<Book>::new().encode(&Book { year: 974 }).unwrap().len()) }\n'
    )
    manifest = '[package]\nname = "program"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n'
    (home / "Cargo.toml").write_text(manifest + line[1] + "\n")
    assert int(run(["cargo", "run", "-q"], home, path)) > 2


def test_typescript(tmp_path: Path) -> None:
    home = clone(tmp_path)
    path = only(tmp_path / "bin", ("node", "npm", "npx"))
    words = command("TypeScript")
    assert words[0] == "npm"
    project = tmp_path / "program"
    project.mkdir()
    run(["npm", "init", "-y"], project, path)
    run([*words[:-1], f"../{words[-1]}"], project, path, npm_config_prefer_offline="true")
    program = """
    import { pack } from "samewire";
    import { createServer } from "samewire/grpc";
    const codec = pack.codec(pack.list(pack.i32));
    console.log(codec.decode(codec.encode([1, 974])), typeof createServer);
    """
    (project / "program.mjs").write_text(program)
    assert run(["node", "program.mjs"], project, path) == "[ 1, 974 ] function\n"
    # A program in TypeScript, as the guide of pack describes it.
    (project / "books.ts").write_text(block("ts", guide("TypeScript")))
    commands = re.findall(r"`((?:npm|npx) [^`]+)`", guide("TypeScript"))
    assert len(commands) == 4, commands
    printed = [run(["sh", "-c", each], project, path, npm_config_prefer_offline="true") for each in commands[1:]]
    assert printed[-1] == block("text", guide("TypeScript"))
    # A second project takes what has been built.
    (home / "other").mkdir()
    run(["npm", "init", "-y"], home / "other", path)
    run([*words[:-1], f"../{words[-1]}"], home / "other", path, npm_config_offline="true")


def test_typescript_that_cannot_be_built_says_what_to_run(tmp_path: Path) -> None:
    home = clone(tmp_path)
    path = only(tmp_path / "bin", ("node", "npm"))
    (home / "samewire/typescript/package-lock.json").write_text("{")
    environment = {"PATH": path, "HOME": str(tmp_path)}
    done = subprocess.run(command("TypeScript"), cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "Run `npm ci && npm run build` there" in done.stderr, done.stderr
