"""The third-party code in the wheel, and the notices that its licences require.

usage: python -m house.third_party      (writes python/THIRD_PARTY_NOTICES)

The extension holds crates, which Cargo names, and Rust's standard library; the bridge's jar holds ASM. Crates that only run
while others are compiled (macros) are not part of it. Nothing is fetched: Cargo has the sources, with their licences.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOTICES = ROOT / "python/THIRD_PARTY_NOTICES"
#: The crate that becomes the extension.
EXTENSION = "samewire-python"
HEADER = """The binary packages of Samewire for Python contain software of others, under these licences.
Samewire itself is under the Apache License 2.0 (LICENSE).
"""
#: Its sources are not here: it is compiled already, and lies in the extension.
STANDARD_LIBRARY = """Rust's standard library (MIT OR Apache-2.0), in samewire/_native.so
Copyright (c) The Rust Project contributors
It is under the Apache License 2.0, or under that of MIT, whose text is the same as libc's below.
"""


@dataclass(frozen=True)
class Component:
    """A package of others inside ours: its kind is that of a package URL."""

    kind: str
    name: str
    version: str
    licence: str
    text: str

    @property
    def purl(self) -> str:
        """The package URL."""
        return f"pkg:{self.kind}/{self.name}@{self.version}"


def components() -> list[Component]:
    """All of them, by name. Raises subprocess.CalledProcessError where Cargo has not fetched the crates."""
    return sorted([*crates(), asm()], key=lambda component: component.purl)


def crates() -> Iterator[Component]:
    """The crates of the extension for this kind of machine, without ours.

    What Cargo says of the whole workspace would count features that other members ask for.
    """
    tree = ["tree", "-p", EXTENSION, "-e", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    linked = {line.split(" (")[0] for line in _cargo(*tree).splitlines()}
    for package in json.loads(_cargo("metadata", "--format-version", "1"))["packages"]:
        if package["source"] is not None and f"{package['name']} v{package['version']}" in linked:
            folder = Path(package["manifest_path"]).parent
            yield Component("cargo", package["name"], package["version"], package["license"], _licence(folder))


def asm() -> Component:
    """The library that the bridge's jar contains."""
    (version,) = re.findall(r"<asm\.version>([^<]+)<", (ROOT / "java/pom.xml").read_text("utf-8"))
    text = (ROOT / "java/bridge/LICENSE-asm").read_text("utf-8")
    return Component("maven", "org.ow2.asm/asm", version, "BSD-3-Clause", text)


def notices(found: list[Component]) -> str:
    """The file's text: equal licences stand once."""
    by_text: dict[str, list[Component]] = {}
    for component in found:
        by_text.setdefault(component.text.strip(), []).append(component)
    pieces = [HEADER, STANDARD_LIBRARY]
    for text, owners in by_text.items():
        names = "\n".join(f"{owner.name} {owner.version} ({owner.licence})" for owner in owners)
        pieces.append(f"{names}\n\n{text}\n")
    return f"\n{'-' * 80}\n\n".join(pieces)


def _cargo(*words: str) -> str:
    command = ["cargo", *words, "--locked", "--offline"]
    return subprocess.run(command, cwd=ROOT / "rust", capture_output=True, text=True, check=True).stdout


def _licence(folder: Path) -> str:
    """That of MIT where there is a choice, since it is the shorter. Raises FileNotFoundError where there is none."""
    found = sorted(path for path in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying)", path.name))
    if not found:
        raise FileNotFoundError(f"{folder.name} has no file with its licence: add its text by hand")
    return next((path for path in found if "MIT" in path.name.upper()), found[0]).read_text("utf-8")


if __name__ == "__main__":
    NOTICES.write_text(notices(components()), "utf-8")
    print(f"wrote {NOTICES.relative_to(ROOT)}")
