"""Runs pack's matrix: every language encodes the values, and decodes and re-encodes what every language wrote."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import SubprocessError

from spec.matrix.pack.catalogue import all_schemas, file_text, vector_schemas
from spec.matrix.pack.peers import ROOT, Peer, all_peers
from spec.matrix.pack.values import Heights, ValueMaker
from spec.matrix.parts import DisagreeError
from spec.oracle.core.vector_file import write
from spec.oracle.pack.encode import encode
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse

FOLDER = ROOT / "build" / "matrix"
SCHEMAS = ROOT / "build" / "peers" / "schemas.json"
PROCESSES = 2
SHOWN = 3
LONGEST_SHOWN = 600


@dataclass(frozen=True)
class Line:
    """One value to carry, and the oracle's message of it."""

    schema: str
    text: str
    profile: str
    value: Value
    message: str


def make_lines(count: int, seed: int) -> list[Line]:
    """Makes values of every schema once, then of random schemas three times in four."""
    rng = random.Random(seed)
    schemas = all_schemas()
    known = set(vector_schemas())
    types = {name: parse(text) for name, text in schemas.items()}
    possible = [name for name, t in types.items() if Heights().of(t) is not None]
    fresh = [name for name in possible if schemas[name] not in known]
    makers = {name: ValueMaker(rng) for name in possible}
    lines = []
    for i in range(count):
        name = possible[i] if i < len(possible) else rng.choice(fresh if rng.random() < 0.75 else possible)
        value = makers[name].value(types[name])
        profile = rng.choice(["compact", "compact", "fast"])
        message = encode(types[name], value, profile, named=2).hex()
        lines.append(Line(name, schemas[name], profile, value, message))
    return lines


def shorten(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}… ({len(text)} characters)"


def compare(what: str, lines: list[Line], output: Path) -> int:
    """Returns how many lines equal the oracle's. Prints the first that do not."""
    got = output.read_text(encoding="utf-8").splitlines()
    if len(got) != len(lines):
        print(f"{what}: {len(got)} lines for {len(lines)} values")
    wrong = [k for k, line in enumerate(lines) if k >= len(got) or got[k] != line.message]
    for k in wrong[:SHOWN]:
        line = lines[k]
        print(f"{what}: value {k + 1}, schema {line.schema}, {line.profile}: {shorten(line.text)}")
        print(f"  value  {shorten(json.dumps(line.value, ensure_ascii=False))}")
        print(f"  wanted {shorten(line.message)}")
        print(f"  got    {shorten(got[k] if k < len(got) else '(no line)')}")
    if wrong:
        print(f"{what}: {len(wrong)} of {len(lines)} values differ")
    return len(lines) - len(wrong)


def table(title: str, rows: list[tuple[str, list[str]]], columns: list[str]) -> str:
    width = max(len(name) for name in [title, *columns, *(name for name, _ in rows)]) + 2
    lines = [title.ljust(width) + "".join(name.rjust(width) for name in columns)]
    lines += [name.ljust(width) + "".join(cell.rjust(width) for cell in cells) for name, cells in rows]
    return "\n".join(lines)


def run_all(peers: list[Peer], count: int, seed: int) -> bool:
    """Returns whether all pairs agree."""
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"[{time.monotonic() - began:6.1f} s] {text}", flush=True)

    FOLDER.mkdir(parents=True, exist_ok=True)
    SCHEMAS.parent.mkdir(parents=True, exist_ok=True)
    write(SCHEMAS, file_text())
    lines = make_lines(count, seed)
    values = FOLDER / "values.ndjson"
    with values.open("w", encoding="utf-8") as file:
        for line in lines:
            record = {"schema": line.schema, "profile": line.profile, "value": line.value}
            file.write(json.dumps(record) + "\n")
    say(f"{count} values of {len({line.schema for line in lines})} schemas, seed {seed}; the oracle has encoded them")

    def attempt(what: str, output: Path, run: Callable[[], None]) -> int:
        output.unlink(missing_ok=True)
        try:
            run()
        except (RuntimeError, OSError, SubprocessError) as error:
            print(f"{what}: {error}")
            return 0
        agreed = compare(what, lines, output)
        say(f"{what}: {agreed} of {count}")
        return agreed

    def produce(peer: Peer) -> int:
        output = FOLDER / f"{peer.language}.hex"
        return attempt(peer.language, output, lambda: peer.run("encode", SCHEMAS, values, output))

    def consume(producer: Peer, consumer: Peer) -> int:
        written = FOLDER / f"{producer.language}.hex"
        output = FOLDER / f"{producer.language}-{consumer.language}.hex"
        what = f"{producer.language} -> {consumer.language}"
        return attempt(what, output, lambda: consumer.run("reencode", SCHEMAS, values, written, output))

    with ThreadPoolExecutor(PROCESSES) as pool:
        produced = list(pool.map(produce, peers))
        pairs = [(producer, consumer) for producer in peers for consumer in peers]
        agreed = dict(zip(pairs, pool.map(lambda pair: consume(*pair), pairs), strict=True))
    columns = ["oracle", *(peer.language for peer in peers)]
    rows = []
    for producer, own in zip(peers, produced, strict=True):
        cells = [str(own), *(str(agreed[producer, consumer]) for consumer in peers)]
        rows.append((producer.language, cells))
    print()
    print(table("encoded by \\ by", rows, columns))
    return all(found == count for found in [*produced, *agreed.values()])


def prove(count: int, seed: int, only: list[str]) -> int:
    """Returns the number of ordered pairs of languages, which agree on `count` values. Raises `DisagreeError` if not.

    `only` names the languages to run; empty: all of them.
    """
    peers = [peer for peer in all_peers() if not only or peer.language in only]
    missing = [f"{peer.language}: no {path}" for peer in peers for path in peer.missing()]
    if missing or not peers:
        raise DisagreeError("\n".join(["peers that are not built:", *missing]))
    if not run_all(peers, count, seed):
        raise DisagreeError("the languages do not agree")
    return len(peers) ** 2
