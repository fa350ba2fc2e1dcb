"""``python -m bench.peers.python list`` names the peers; ``… PEER WORKLOAD --warm S --samples N --sample S`` times one of them.

A peer is ``library.form``. Output is one JSON object a line: first the peer and the data's digest, then one for each operation.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from bench.peers.python import reference, timing
from bench.peers.python.forms import Form, fresh

RECORDS = ("slots", "plain", "named", "struct")
PEERS = {
    "samewire-compact": ("samewire", "compact", RECORDS),
    "samewire-fast": ("samewire", "fast", RECORDS),
    "samewire-compact-untracked": ("samewire", "untracked", RECORDS[:3]),
    "msgspec": ("msgspec", "prepare", ("struct", "slots", "plain", "named", "tracked")),
    "ormsgpack": ("ormsgpack", "prepare", ("plain",)),
    "pyfory": ("pyfory", "prepare", ("fory",)),
}
"""By name: the file, the function in it that prepares, the forms of classes; only that file is loaded."""

WITHOUT_RECORDS = {"ints", "doubles", "strings", "uniqueStrings", "map"}


def names() -> dict[str, list[str]]:
    """Every peer, as ``library.form``, with its shapes: where there are no records the first form speaks for all."""
    return {
        f"{library}.{form}": [shape for shape in reference.SHAPES if form == forms[0] or shape not in WITHOUT_RECORDS]
        for library, (_, _, forms) in PEERS.items()
        for form in forms
    }


def lines(name: str, shape: str, plan: timing.Plan) -> Iterator[dict[str, Any]]:
    """The report of one peer on one shape."""
    neutral = reference.make(shape)
    yield {"digest": reference.digest(neutral)}
    library, form_name = name.split(".")
    form = Form(form_name)
    file, function, _ = PEERS[library]
    peer = getattr(import_module(f"bench.peers.python.with_{file}"), function)(shape, form_name)
    value = form.build(shape, neutral)
    data = bytes(peer.encode(value))
    yield {"version": peer.version, "hex": data.hex()}
    if peer.decode(data) != value:
        yield {"wrong": "the decoded value differs from the encoded one"}
        return
    if peer.into is not None and peer.into(value) != len(data):
        yield {"wrong": "encoding into a buffer gives another length"}
        return
    records = {"tree": 392, "uniqueRecords": 1_000}.get(shape, 8)
    yield {"op": "encode"} | timing.repeated(peer.encode, value, plan)._asdict()
    if peer.into is not None:
        yield {"op": "into"} | timing.repeated(peer.into, value, plan)._asdict()
    if shape in reference.TEXT_SHAPES:
        copies = max(1, 60_000 // len(data))
        cost = timing.fresh(peer.encode, lambda: form.build(shape, neutral, fresh), copies, plan)
        yield {"op": "fresh"} | cost._asdict()
    yield {"op": "decode"} | timing.repeated(peer.decode, data, plan)._asdict()
    if shape in ("tree", "booksNum", "booksRandom", "uniqueRecords"):
        yield {"op": "held"} | timing.held(peer.decode, data, 20_000 // records, plan)._asdict()


def main(arguments: list[str]) -> None:
    """See the module's own text."""
    if arguments == ["list"]:
        print(json.dumps({"peers": {name: {"workloads": shapes} for name, shapes in names().items()}}))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.peers.python")
    parser.add_argument("peer")
    parser.add_argument("workload")
    parser.add_argument("--warm", type=float, default=0.2)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--sample", type=float, default=0.05)
    chosen = parser.parse_args(arguments)
    for line in lines(chosen.peer, chosen.workload, timing.Plan(chosen.warm, chosen.samples, chosen.sample)):
        print(json.dumps(line), flush=True)


main(sys.argv[1:])
