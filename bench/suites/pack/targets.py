"""What `pack` must reach: sizes in bytes, speeds as ratios to a peer in the same rounds."""

from __future__ import annotations

from typing import NamedTuple

COMPACT, FAST = "samewire-compact", "samewire-fast"
BEST = "best peer"


class Size(NamedTuple):
    """`compact` bytes of a shape, the same in every language."""

    shape: str
    most: int


class Speed(NamedTuple):
    """``ours`` at ``op`` is at least ``least`` times as fast as ``theirs`` at ``their_op`` (``BEST``: the fastest of the language)."""

    language: str
    shape: str
    op: str
    ours: str
    theirs: str
    their_op: str
    least: float


class Longest(NamedTuple):
    """Milliseconds that something paid once may take."""

    language: str
    shape: str
    op: str
    ours: str
    most: float


SIZES = (
    Size("booksNum", 196),
    Size("tree", 2_420),
    Size("strings", 36_750),
    Size("ints", 14_700),
    Size("event", 3),
)

ALLOWED_OVER_SMALLEST = 8
"""Bytes by which a peer may be smaller, on the raw doubles only."""

REFERENCE = ("event", "ints", "doubles", "strings", "tree", "map", "booksRandom", "booksNum")
PYTHON_FORMS = ("slots", "plain", "named", "struct")
UNREPEATED = ("strings", "uniqueStrings", "uniqueRecords")
LANGUAGES = ("jvm", "node", "python", "rust")
DEDUPLICATION = 1 / 1.2
"""`compact` beside `fast` where no text repeats: at most 20 % more time."""


def _like(language: str, shapes: tuple[str, ...], ops: tuple[str, ...], ours: str, theirs: str, least: float) -> list[Speed]:
    return [Speed(language, shape, op, ours, theirs, op, least) for shape in shapes for op in ops]


def _jvm() -> list[Speed]:
    owned_and_kept = ("encode", "into")
    return [
        *_like("jvm", ("booksNum",), ("decode",), COMPACT, "fory", 1.1),
        *_like("jvm", ("tree",), ("decode",), COMPACT, "fory", 2.5),
        *_like("jvm", ("strings",), ("decode",), COMPACT, "fory", 0.95),
        *_like("jvm", ("booksNum", "tree", "strings"), owned_and_kept, FAST, "fory", 1.2),
        *_like("jvm", ("booksNum",), owned_and_kept, COMPACT, "fory", 0.9),
        *_like("jvm", ("tree",), owned_and_kept, COMPACT, "fory", 1.1),
        *_like("jvm", ("doubles", "ints"), (*owned_and_kept, "decode"), FAST, "fory", 1.0),
    ]


def _node() -> list[Speed]:
    text = ("booksNum", "tree", "strings")
    return [
        *_like("node", text, ("decode",), COMPACT, BEST, 2.5),
        *_like("node", text, ("encode",), FAST, BEST, 1.6),
        *_like("node", text, ("encode",), COMPACT, BEST, 1.0),
        *_like("node", ("doubles", "ints"), ("encode", "decode"), FAST, BEST, 1.0),
        *_like("chromium", text, ("decode",), COMPACT, BEST, 2.0),
    ]


def _python() -> list[Speed]:
    reference = "msgspec.struct"
    targets = []
    for form in PYTHON_FORMS:
        compact, fast = f"{COMPACT}.{form}", f"{FAST}.{form}"
        targets += _like("python", ("booksNum", "tree"), ("encode",), fast, reference, 2.2)
        targets += _like("python", ("booksNum", "tree"), ("encode",), compact, reference, 1.4)
        # Values that are held count where the collector may be kept out, as it is from msgspec's: `gc=False`.
        held = compact if form == "struct" else f"{COMPACT}-untracked.{form}"
        tree = 1.6 if form == "struct" else 1.3
        for op, ours in (("decode", compact), ("held", held)):
            targets += _like("python", ("booksNum",), (op,), ours, reference, 1.4)
            targets += _like("python", ("tree",), (op,), ours, reference, tree)
    return [
        *targets,
        *_like("python", ("strings",), ("decode",), f"{COMPACT}.slots", "pyfory.fory", 1.7),
        *_like("python", ("strings",), ("fresh",), f"{COMPACT}.slots", "pyfory.fory", 1.5),
        *_like("python", ("doubles",), ("encode", "decode"), f"{COMPACT}.slots", reference, 1.5),
    ]


def _rust() -> list[Speed]:
    ascii_shapes = ("uniqueStrings", "uniqueRecords", "map")
    return [
        *_like("rust", ascii_shapes, ("encode", "into"), FAST, "bitcode", 0.9),
        *_like("rust", (*ascii_shapes, "tree"), ("encode", "into"), FAST, "postcard", 1.0),
        *(Speed("rust", "booksNum", "borrowed", COMPACT, peer, "decode", 2.0) for peer in ("bitcode", "postcard")),
    ]


def _deduplication() -> list[Speed]:
    targets = []
    for language in LANGUAGES:
        form = ".slots" if language == "python" else ""
        for op in ("encode",) if language == "rust" else ("encode", "fresh"):
            targets += _like(language, UNREPEATED, (op,), COMPACT + form, FAST + form, DEDUPLICATION)
    return targets


SPEEDS = (*_jvm(), *_node(), *_python(), *_rust(), *_deduplication())

FIRST_USE = (Longest("jvm", "booksNum", "first", COMPACT, 50.0), Longest("jvm", "tree", "first", COMPACT, 50.0))
