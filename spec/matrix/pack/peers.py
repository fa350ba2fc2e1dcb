"""Starts the four peers, and lists what must be built for each (spec/matrix/README.md)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SECONDS = 900


@dataclass(frozen=True, eq=False)
class Peer:
    """One language's program. `files` must exist before it can start."""

    language: str
    command: list[str]
    files: list[Path]

    def missing(self) -> list[Path]:
        return [path for path in self.files if not path.exists()]

    def run(self, *arguments: str | Path) -> None:
        """Runs the peer. Raises `RuntimeError` with the end of its output unless it exits with 0."""
        done = subprocess.run(
            [*self.command, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        if done.returncode != 0:
            said = (done.stderr or done.stdout)[-2000:]
            raise RuntimeError(f"{self.language} {arguments[0]} exited with {done.returncode}:\n{said}")


def all_peers() -> list[Peer]:
    """Returns the peers of Rust, Python, Java and TypeScript."""
    java = ROOT / "java" / "pack" / "target"
    paths = java / "test-classpath.txt"
    others = paths.read_text(encoding="utf-8").strip() if paths.exists() else ""
    class_path = ":".join([str(java / "classes"), str(java / "test-classes"), *filter(None, [others])])
    rust = ROOT / "rust" / "target" / "debug" / "pack-peer"
    python = ROOT / "python" / "tests" / "pack" / "peer.py"
    script = ROOT / "typescript" / "dist" / "test" / "pack" / "peer.js"
    main_class = java / "test-classes" / "io" / "samewire" / "pack" / "Peer.class"
    return [
        Peer("rust", [str(rust)], [rust]),
        Peer("python", [sys.executable, str(python)], [python]),
        Peer("java", ["java", "-cp", class_path, "io.samewire.pack.Peer"], [main_class, paths]),
        Peer("typescript", ["node", str(script)], [script]),
    ]
