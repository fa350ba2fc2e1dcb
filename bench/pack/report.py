"""The report of a run: one table a language and shape, then the targets, then what went wrong."""

from __future__ import annotations

from collections.abc import Iterator

from bench.pack import table
from bench.pack.results import Key, Results
from bench.pack.run import SHAPES
from bench.pack.stats import best_peer, cost, is_ours, ratio
from bench.pack.verdicts import verdicts

OPS = ("encode", "into", "fresh", "decode", "borrowed", "held", "load", "first")
REFERENCE = {"jvm": "fory", "python": "msgspec.struct", "rust": "bitcode"}
"""The peer whose ratio is 1.00 in a table; elsewhere the fastest peer of each column."""

LEGEND = """\
Time per operation: CPU time (Chromium: wall time), the median over rounds, each round a fresh process. In brackets the median of
the ratios within rounds to the reference row, `=`: above 1 is faster. encode: owned bytes. into: a kept buffer. fresh: texts never
seen before. decode: results dropped. borrowed: texts point into the input. held: results kept, collections included. load: this
thread's time until the first type has been encoded and decoded once in a process. first: the same for this type, after that.
"""


def report(results: Results, render: table.Render) -> str:
    """The whole report as text."""
    return "\n".join(_parts(results, render))


def _heading(text: str, render: table.Render) -> str:
    return f"## {text}\n" if render is table.markdown else f"== {text} ==\n"


def _parts(results: Results, render: table.Render) -> Iterator[str]:
    machine, settings = results.machine, results.settings
    about = {**machine, **settings}
    yield f"pack, {results.started}: " + ", ".join(f"{name} {value}" for name, value in about.items()) + "\n"
    yield LEGEND
    yield _versions(results)
    languages = list(dict.fromkeys(key.language for key in results.cpu))
    for language in languages:
        for shape in SHAPES:
            body = _shape(results, language, shape, render)
            if body:
                yield _heading(f"{language}: {shape}", render)
                yield body
    yield _heading("Targets", render)
    yield targets(results, render)
    if results.troubles:
        yield _heading("Not measured", render)
        shapes: dict[tuple[str, str, str], list[str]] = {}
        for (language, shape, peer), reason in results.troubles.items():
            shapes.setdefault((language, peer, reason.replace("\n", " ")[-300:]), []).append(shape)
        yield render(
            ("", "peer", "shapes", "reason"), [[of, peer, ", ".join(all_), why] for (of, peer, why), all_ in shapes.items()]
        )


def _versions(results: Results) -> str:
    lines = []
    for language, platform in results.platforms.items():
        peers = {peer.split(".")[0]: version for (of, peer), version in results.versions.items() if of == language}
        lines.append(f"- {language} ({platform}): " + ", ".join(f"{peer} {peers[peer]}" for peer in sorted(peers)))
    return "\n".join(lines) + "\n"


def _shape(results: Results, language: str, shape: str, render: table.Render) -> str:
    keys = [key for key in results.cpu if (key.language, key.shape) == (language, shape)]
    if not keys:
        return ""
    ops = [op for op in OPS if any(key.op == op for key in keys)]
    peers = sorted(dict.fromkeys(key.peer for key in keys), key=lambda peer: (not is_ours(peer), peer))
    rows = [_row(results, language, shape, peer, ops) for peer in peers]
    return render(("peer", "bytes", "gzip", *ops), rows)


def _row(results: Results, language: str, shape: str, peer: str, ops: list[str]) -> list[str]:
    encoding = results.encodings.get((language, shape, peer))
    sizes = [str(encoding.size), str(encoding.gzip)] if encoding else ["", ""]
    return [peer, *sizes, *(_cell(results, Key(language, shape, peer, op)) for op in ops)]


def _cell(results: Results, key: Key) -> str:
    time = cost(results, key)
    if time is None:
        return ""
    reference = reference_of(results, key)
    if reference == key.peer:
        return f"{table.nanoseconds(time)} [=]"
    against = ratio(results, key, key._replace(peer=reference)) if reference else None
    return f"{table.nanoseconds(time)} [{against.middle:.2f}]" if against else table.nanoseconds(time)


def reference_of(results: Results, key: Key) -> str | None:
    """The peer that this cell is compared with."""
    named = REFERENCE.get(key.language)
    if named and key._replace(peer=named) in results.cpu:
        return named
    return best_peer(results, key)


def targets(results: Results, render: table.Render) -> str:
    """Every target of the languages that ran."""
    words = {True: "met", False: "MISSED", None: "no figure"}
    rows = [[row.language, row.what, row.wanted, row.measured, words[row.met]] for row in verdicts(results)]
    counts = {word: sum(row[4] == word for row in rows) for word in words.values()}
    return (
        render(("", "target", "wanted", "measured (least-most)", ""), rows)
        + "\n"
        + ", ".join(f"{n} {w}" for w, n in counts.items())
        + "\n"
    )


def summary(results: Results) -> str:
    """The README's table: ours beside the reference or the best peer, on the shapes that show most."""
    rows: list[list[str]] = []
    for language in dict.fromkeys(key.language for key in results.cpu):
        for shape in ("booksNum", "tree", "strings", "doubles"):
            rows += _summary_rows(results, language, shape)
    return table.markdown(("", "data", "bytes", "encode", "decode", "peer, bytes"), rows)


def _summary_rows(results: Results, language: str, shape: str) -> Iterator[list[str]]:
    form = ".slots" if language == "python" else ""
    for profile in ("compact", "fast"):
        peer = f"samewire-{profile}{form}"
        encoding = results.encodings.get((language, shape, peer))
        if encoding is None:
            continue
        cells, names = [], []
        for op in ("encode", "decode"):
            key = Key(language, shape, peer, op)
            other = reference_of(results, key)
            against = ratio(results, key, key._replace(peer=other)) if other else None
            cells.append(f"{table.nanoseconds(cost(results, key))}, {against.middle:.2f}×" if against else "")
            if other:
                theirs = results.encodings[language, shape, other]
                names.append(f"{other}, {theirs.size:,}")
        yield [f"{language}, {profile}", shape, f"{encoding.size:,}", *cells, " / ".join(dict.fromkeys(names))]
