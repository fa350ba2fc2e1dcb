"""Where things are: the repository's parts that the tour uses, and the tools of each language."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
TOUR = ROOT / "tour"
#: The Rust peers are a workspace of their own; their build does not depend on the data and is kept between tours.
RUST_TARGET = ROOT / "build/tour/target"
TSC = ROOT / "typescript/node_modules/typescript/bin/tsc"


def java_libraries() -> list[str]:
    """Class path of the libraries for the JVM: each part's classes, then what the parts need from outside."""
    listings = sorted((ROOT / "java").glob("*/target/classpath.txt"))
    outside = {entry for listing in listings for entry in listing.read_text("utf-8").strip().split(":") if entry.endswith(".jar")}
    return [*(str(listing.parent / "classes") for listing in listings), *sorted(outside)]


def java_class_path(work: Path) -> str:
    """The libraries, the peers, and the tour's own classes in `work`."""
    peers = (ROOT / "build/tour/classpath.txt").read_text("utf-8").strip()
    return ":".join([*java_libraries(), *filter(None, [peers]), str(work / "java/classes")])
