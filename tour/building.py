"""Compiles the definitions and the hops: javac, tsc, cargo. Unchanged sources are not compiled again."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from samewire.schema.emit.peers import write_files

from tour.places import ROOT, RUST_TARGET, TOUR, TSC, java_class_path


class BuildError(Exception):
    """A compiler refused; the text is its output."""


def build_all(work: Path) -> None:
    """Compiles for every language that has a compiler. Raises BuildError."""
    build_java(work)
    build_typescript(work)
    build_rust(work)


def build_java(work: Path) -> None:
    """Into `work/java/classes`."""
    sources = sorted([*(TOUR / "java").rglob("*.java"), *(work / "java/source").rglob("*.java")])
    classes, stamp = work / "java/classes", work / "java/stamp"
    state = _state(sources, (ROOT / "java").glob("*/target/classes/**/*.class"))
    if _fresh(stamp, state):
        return
    shutil.rmtree(classes, ignore_errors=True)
    listing = work / "java/sources.txt"
    listing.write_text("".join(f'"{source}"\n' for source in sources), "utf-8")
    command = ["javac", "-proc:none", "-Xlint:all,-path,-classfile,-processing", "-Werror", "-encoding", "UTF-8"]
    run([*command, "--release", "17", "-cp", java_class_path(work), "-d", str(classes), f"@{listing}"])
    stamp.write_text(state, "utf-8")


def build_typescript(work: Path) -> None:
    """Into `work/typescript/dist`. The packages are found through links, as an installed one would be."""
    folder = work / "typescript"
    write_files({path.name: path.read_text("utf-8") for path in (TOUR / "typescript").glob("*.ts")}, folder)
    (folder / "package.json").write_text('{"type": "module"}\n', "utf-8")
    (folder / "tsconfig.json").write_text(_TSCONFIG, "utf-8")
    for name, target in {
        "samewire": ROOT / "typescript",
        "msgpackr": TOUR / "node_modules/msgpackr",
        "@grpc/proto-loader": ROOT / "typescript/node_modules/@grpc/proto-loader",
        "@types/node": ROOT / "typescript/node_modules/@types/node",
    }.items():
        link = folder / "node_modules" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(target)
    sources = [folder / "tsconfig.json", *folder.glob("*.ts"), *(folder / "types").glob("*.ts")]
    state = _state(sorted(sources), (ROOT / "typescript/dist/src").rglob("*.d.ts"))
    if not _fresh(folder / "stamp", state):
        run(["node", str(TSC), "-p", str(folder)])
        (folder / "stamp").write_text(state, "utf-8")


_TSCONFIG = """{
  "compilerOptions": {
    "module": "nodenext", "target": "es2022", "strict": true, "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true, "skipLibCheck": true, "types": ["node"], "outDir": "dist", "rootDir": "."
  },
  "files": ["hop.ts", "call.ts"]
}
"""


def build_rust(work: Path) -> None:
    """Into `rust_hop()`. The compiled peers do not depend on the data and are kept."""
    version = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout
    environment = {
        "CARGO_TARGET_DIR": str(RUST_TARGET),
        "SAMEWIRE_TOUR_TYPES": str((work / "rust").resolve()),
        "SAMEWIRE_TOUR_RUSTC": " ".join(version.split()[:2]),
    }
    manifest = str(TOUR / "rust/Cargo.toml")
    run(["cargo", "build", "-q", "--release", "--locked", "--manifest-path", manifest], environment)


def rust_hop() -> Path:
    """The program that `build_rust` made last."""
    return RUST_TARGET / "release/samewire-tour"


def run(command: list[str], environment: dict[str, str] | None = None) -> None:
    """Runs a compiler. Raises BuildError."""
    done = subprocess.run(command, env=os.environ | (environment or {}), capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        raise BuildError(f"{command[0]} refused:\n{(done.stdout + done.stderr)[-6000:]}")
    if done.stderr.strip():
        print(done.stderr.strip(), file=sys.stderr)


def _state(sources: Iterable[Path], library: Iterable[Path]) -> str:
    """The inputs of the output: the sources' content, and the age of the library's files."""
    digest = hashlib.sha256()
    for path in sources:
        digest.update(f"{path}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    newest = max((path.stat().st_mtime_ns for path in library), default=0)
    return f"{digest.hexdigest()} {newest}\n"


def _fresh(stamp: Path, state: str) -> bool:
    return stamp.exists() and stamp.read_text("utf-8") == state
