"""``python -m bench.peers.python list`` names the peers; ``… PEER WORKLOAD --warm S --samples N --sample S`` times one of them.

With ``--data FILE --schema FILE`` the workload is the user's own. A peer is ``row.form``; the row stands in the file ``with_…`` whose
name it begins with, and only that file is loaded. Output is one JSON object a line.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

from samewire.pack.schema import Schema

from bench.peers.python import reference, timing
from bench.peers.python.forms import Form
from bench.peers.python.own import OwnForm
from bench.peers.python.peer import Peer, Row, Workload

OWN = "data"
WITHOUT_RECORDS = {"ints", "doubles", "strings", "uniqueStrings", "map"}
RECORDS = {"tree": 392, "uniqueRecords": 1_000}


def files() -> list[str]:
    """The names of the peers' files, after ``with_``."""
    return sorted(path.stem.removeprefix("with_") for path in Path(__file__).parent.glob("with_*.py"))


@cache
def rows(file: str) -> dict[str, Row]:
    """The rows of one file."""
    found: dict[str, Row] = import_module(f"bench.peers.python.with_{file}").ROWS
    return found


def row_of(name: str) -> Row:
    """The row of a peer. Raises KeyError."""
    library = name.partition(".")[0]
    file = max((file for file in files() if library == file or library.startswith(f"{file}-")), key=len, default="")
    if not file:
        raise KeyError(name)
    return rows(file)[library]


def listing() -> dict[str, Any]:
    """Every peer; one whose library is not installed says so, and the others go on."""
    peers: dict[str, Any] = {}
    for file in files():
        try:
            peers |= _listed(rows(file))
        except ImportError as why:
            peers[file] = {"missing": str(why)}
    return {"harness": f"pyperf {version('pyperf')}", "peers": peers}


def _listed(found: dict[str, Row]) -> dict[str, Any]:
    """The peers of one file: where there are no records, and for the user's own data, the first form speaks for all."""
    peers = {}
    for library, row in found.items():
        for form in row.forms:
            first = form == row.forms[0]
            shapes = [shape for shape in reference.SHAPES if row.reference and (first or shape not in WITHOUT_RECORDS)]
            peers[f"{library}.{form}"] = {
                "workloads": shapes + ([OWN] if first and row.own else []),
                "version": version_of(row),
                "kind": row.kind,
                "checks": row.checks,
                "trusted": row.trusted,
            }
    return peers


def version_of(row: Row) -> str:
    """That of the installed distribution."""
    return version(row.package) if row.package else f"built into CPython {platform.python_version()}"


class Run:
    """One peer on one workload."""

    def __init__(self, name: str, form: Form | OwnForm, shape: str, neutral: Any) -> None:
        self.name, self.form, self.shape, self.neutral = name, form, shape, neutral

    def prepared(self, shape: str, neutral: Any) -> tuple[Row, Peer, Any]:
        """The peer set up, and the value in its form."""
        row = row_of(self.name)
        return (
            row,
            row.prepare(Workload(shape, self.form.type_of(shape), self.form.classes, neutral)),
            self.form.build(shape, neutral),
        )

    def once(self) -> Iterator[dict[str, Any]]:
        """What a process pays before its first message: the library with another type, then this workload's own."""

        def start(shape: str, neutral: Any) -> Callable[[], object]:
            def first() -> None:
                _, peer, value = self.prepared(shape, neutral)
                data = peer.encode(value)
                if peer.decode:
                    peer.decode(data)

            return first

        if self.shape != OWN:
            other = "ints" if self.shape == "event" else "event"
            yield timing.once(start(other, reference.make(other))).line("load")
        yield timing.once(start(self.shape, self.neutral)).line("first")

    def lines(self, plan: timing.Plan) -> Iterator[dict[str, Any]]:
        """The report."""
        row, peer, value = self.prepared(self.shape, self.neutral)
        data = bytes(peer.encode(value))
        yield {"version": version_of(row), "hex": data.hex()}
        if peer.decode is not None and peer.decode(data) != value:
            yield {"wrong": "the decoded value differs from the encoded one"}
            return
        if peer.into is not None and peer.into(value) != len(data):
            yield {"wrong": "encoding into a buffer gives another length"}
            return
        sampler = timing.Sampler(plan)
        encoded = sampler.repeated("encode", peer.encode, value)
        yield encoded.line("encode")
        if peer.into is not None:
            yield sampler.repeated("into", peer.into, value).line("into")
        if self.shape in (OWN, *reference.TEXT_SHAPES) and row.kind != "limit":
            # As many for each peer: one with small messages would find more of them out of the cache.
            size = len(json.dumps(self.neutral) if self.shape == OWN else reference.dump(self.neutral))
            copies = max(1, 60_000 // size)
            loops = max(1, int(plan.sample * 1e9 / 6 / median(encoded.cpu)))
            yield sampler.fresh("fresh", peer.encode, self._renewed, copies, loops).line("fresh")
        if peer.decode is not None:
            yield sampler.repeated("decode", peer.decode, data).line("decode")
            if self.shape in ("tree", "booksNum", "booksRandom", "uniqueRecords"):
                yield sampler.held("held", peer.decode, data, 20_000 // RECORDS.get(self.shape, 8)).line("held")

    def _renewed(self) -> Any:
        return self.form.renewed(self.shape, self.neutral)


def run(chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of one process."""
    plan = timing.Plan(chosen.warm, chosen.samples, chosen.sample)
    form_name = chosen.peer.partition(".")[2]
    if chosen.data is None:
        neutral = reference.make(chosen.workload)
        yield {"digest": reference.digest(neutral)}
        of_shape = Run(chosen.peer, Form(form_name), chosen.workload, neutral)
        yield from of_shape.lines(plan) if plan.samples else of_shape.once()
        return
    if not row_of(chosen.peer).own:
        yield {"cannot": "it is made for the reference data"}
        return
    try:
        schema = Schema.parse(chosen.schema.read_text("utf-8").strip())
        own = OwnForm(form_name, json.loads(chosen.data.read_text("utf-8")), schema)
        of_own = Run(chosen.peer, own, OWN, own.value)
        yield from of_own.lines(plan) if plan.samples else of_own.once()
    except Exception as refused:
        # Whatever a library raises, the user's data is what it cannot carry.
        yield {"cannot": f"{type(refused).__name__}: {refused}"}


def main(arguments: list[str]) -> None:
    """See the module's own text."""
    if arguments == ["list"]:
        print(json.dumps(listing()))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.peers.python")
    parser.add_argument("peer")
    parser.add_argument("workload")
    parser.add_argument("--warm", type=float, default=0.2)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--sample", type=float, default=0.05)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--schema", type=Path)
    for line in run(parser.parse_args(arguments)):
        print(json.dumps(line), flush=True)


main(sys.argv[1:])
