"""The jar that lies in the Python package: all that a JVM needs to be called from Python, in one file.

usage: python -m house.bridge_jar [--out FILE]      (default: python/samewire/bridge/samewire-bridge.jar)

It takes 0.7 MB, and holds the compiled classes of core, pack and bridge, and ASM under a name of our own, so that a program's own ASM on the
same class path stays what it is. Maven has compiled the classes and written the class path. The same classes give the same
bytes.
"""

from __future__ import annotations

import argparse
import struct
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "python/samewire/bridge/samewire-bridge.jar"
MODULES = ("core", "pack", "bridge")
#: Paths and names of ASM's packages, and what stands for them.
MOVED = ((b"org/objectweb/asm", b"io/samewire/bundled/asm"), (b"org.objectweb.asm", b"io.samewire.bundled.asm"))
MANIFEST = (
    b"Manifest-Version: 1.0\r\nMain-Class: io.samewire.bridge.GatewayMain\r\nAutomatic-Module-Name: io.samewire.bridge\r\n"
    b"Multi-Release: true\r\n\r\n"
)
#: Classes that the loader of the class path has to load, even where the jar is on the boot class path too: the boot loader
#: looks for no classes of releases.
PROGRAM = "io/samewire/bridge/program/"
RELEASE = "META-INF/versions/17/"
#: In the archive instead of the time at which it was made.
DATE = (2025, 1, 1, 0, 0, 0)

UTF8 = 1
#: The bytes of each other constant of a class file after its tag; those of 8 bytes take two places.
WIDTHS = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def moved(text: bytes) -> bytes:
    """A name, path, descriptor or text with ASM where it lies in the jar."""
    for old, new in MOVED:
        text = text.replace(old, new)
    return text


def relocated(file: bytes) -> bytes:
    """A class file whose constants name ASM where it lies in the jar. Nothing else in it depends on their lengths."""
    count = struct.unpack_from(">H", file, 8)[0]
    out = [file[:10]]
    at, number = 10, 1
    while number < count:
        tag = file[at]
        if tag == UTF8:
            length = struct.unpack_from(">H", file, at + 1)[0]
            text = moved(file[at + 3 : at + 3 + length])
            out.append(struct.pack(">BH", UTF8, len(text)) + text)
            at += 3 + length
        else:
            out.append(file[at : at + 1 + WIDTHS[tag]])
            at += 1 + WIDTHS[tag]
        number += 2 if tag in (5, 6) else 1
    return b"".join(out) + file[at:]


def entries(modules: tuple[str, ...] = MODULES, manifest: bytes = MANIFEST) -> Iterator[tuple[str, bytes]]:
    """The files of the jar, those first that a start needs."""
    yield "META-INF/MANIFEST.MF", manifest
    yield "META-INF/LICENSE", (ROOT / "LICENSE").read_bytes()
    yield "META-INF/LICENSE-asm", (ROOT / "java/bridge/LICENSE-asm").read_bytes()
    for module in modules:
        classes = ROOT / "java" / module / "target/classes"
        for path in sorted(classes.rglob("*.class")):
            if path.name != "module-info.class":
                name = path.relative_to(classes).as_posix()
                yield (RELEASE if name.startswith(PROGRAM) else "") + name, relocated(path.read_bytes())
    paths = (ROOT / "java/pack/target/classpath.txt").read_text("utf-8").strip().split(":")
    asm = next(Path(path) for path in paths if Path(path).name.startswith("asm-"))
    with zipfile.ZipFile(asm) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".class") and name != "module-info.class":
                yield moved(name.encode()).decode(), relocated(archive.read(name))


def write(out: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes the jar; one that is there and the same stays as it is."""
    part = out.with_name(f"{out.name}.part")
    with zipfile.ZipFile(part, "w") as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(name, DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
    if out.exists() and out.read_bytes() == part.read_bytes():
        part.unlink()
    else:
        part.replace(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    write(parser.parse_args().out, entries())


if __name__ == "__main__":
    main()
