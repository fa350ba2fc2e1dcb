"""Where things are: the repository's parts that the tour uses, and the tools of each language."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
TOUR = ROOT / "tour"
#: The Rust peers are a workspace of their own; their build is kept between tours, whatever the data.
RUST_TARGET = ROOT / "build/tour/target"
TSC = ROOT / "typescript/node_modules/typescript/bin/tsc"


def java_class_path(work: Path) -> str:
    """The library, what it needs, the peers, and the tour's own classes in `work`."""
    parts = [str(ROOT / "java/pack/target/classes")]
    for listing in (ROOT / "java/pack/target/classpath.txt", ROOT / "build/tour/classpath.txt"):
        parts += [listing.read_text("utf-8").strip()]
    return ":".join([*filter(None, parts), str(work / "java/classes")])
