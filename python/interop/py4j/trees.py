"""Copies of Py4J's repository, each compiled with one of the two jars where its tests look for Java's classes."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[3]
JARS = [ROOT / "python/samewire/bridge/samewire-bridge.jar", ROOT / "python/samewire/py4j/samewire-py4j.jar"]
RELEASE = "META-INF/versions/17/"
ERROR = re.compile(r"^(\S.*?\.java):\d+: error:", re.MULTILINE)


class Tree:
    """A copy of the repository: `theirs` with Py4J's Java classes, `ours` with those of our jar."""

    def __init__(self, source: Path, work: Path, jar: str) -> None:
        self.folder = work / jar
        self.python = self.folder / "py4j-python/src"
        java = self.folder / "py4j-java"
        self.main, self.test = java / "build/classes/java/main", java / "build/classes/java/test"
        self.resources = java / "build/resources/test"
        self.junit = next((source / "py4j-java").glob("junit-*.jar"))
        self.sources = source / "py4j-java/src"
        #: Tests of Java that name what the jar lacks.
        self.left_out: list[str] = []
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(source / "py4j-python/src", self.python, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(self.sources / "test/resources", self.resources)
        for folder in (self.main, self.test):
            folder.mkdir(parents=True)
        if jar == "theirs":
            self._compile(self.main, sorted((self.sources / "main/java").rglob("*.java")), "")
        else:
            self._unpack()
        self._compile(self.test, sorted((self.sources / "test/java").rglob("*.java")), self.class_path)

    @property
    def class_path(self) -> str:
        """Of Java's tests."""
        return ":".join(map(str, (self.main, self.test, self.resources, self.junit)))

    def _unpack(self) -> None:
        for jar in JARS:
            with zipfile.ZipFile(jar) as archive:
                for name in archive.namelist():
                    target = self.main / name.removeprefix(RELEASE)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.read(name))

    def _compile(self, into: Path, files: list[Path], class_path: str) -> None:
        """Compiles what compiles: a file with an error is left out, and the others are tried again."""
        while True:
            command = [
                "javac",
                "-nowarn",
                "-proc:none",
                "-Xmaxerrs",
                "100000",
                "-d",
                str(into),
                "-cp",
                class_path,
                *map(str, files),
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if not done.returncode:
                return
            wrong = {Path(name) for name in ERROR.findall(done.stderr)} & set(files)
            if not wrong:
                raise RuntimeError(f"javac failed:\n{done.stderr}")
            self.left_out += sorted(str(path.relative_to(self.sources / "test/java")) for path in wrong)
            files = [path for path in files if path not in wrong]

    def java_tests(self) -> list[str]:
        """The names of the classes with tests that are compiled."""
        names = [path.relative_to(self.test).with_suffix("") for path in self.test.rglob("*Test.class")]
        sources = {name: self.sources / "test/java" / name.with_suffix(".java") for name in names}
        return sorted(
            ".".join(name.parts) for name, file in sources.items() if file.exists() and "@Test" in file.read_text("utf-8")
        )
