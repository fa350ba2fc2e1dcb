"""The hop through Java: Python starts a JVM, runs its hop there, and hands every data set over and back.

usage: python -m tour.bridge_hop WORK PREVIOUS
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import orjson
from py4j.java_gateway import JavaGateway
from samewire import bridge, pack

from tour.places import java_class_path
from tour.plan import Plan
from tour.python_hop import Refusal, Way, module, source, timed


def _ours(desk: Any, kind: Any, value: Any) -> Way:
    codec = pack.codec(kind)

    def put() -> None:
        desk.takePacked(codec.encode(value))

    def get() -> object:
        return codec.decode(desk.packed())

    put()
    get()
    return Way("Samewire bridge, a message of pack", True, put, get, desk.packed())


def _peer(theirs: JavaGateway, outer: str, plain: Any) -> Way | Refusal:
    """Py4J: it carries no objects by value, so that a program writes and reads JSON, which costs it the least."""
    name = "Py4J, JSON (orjson, Jackson)"
    try:
        desk = theirs.jvm.io.samewire.tour.Desk(outer)

        def put() -> None:
            desk.takeJson(orjson.dumps(plain).decode())

        def get() -> object:
            return orjson.loads(desk.giveJson())

        put()
        get()
        return Way(name, False, put, get, orjson.dumps(plain))
    except Exception as error:  # a peer may raise any error: the tour goes on without it
        return Refusal(name, f"{type(error).__name__}: {error}".splitlines()[0])


def hop(work: Path, previous: str, gateway: bridge.Gateway, theirs: JavaGateway) -> dict[str, Any]:
    """Runs Java's own hop, then hands every data set over; returns the report."""
    plan = Plan.read(work)
    gateway.jvm.io.samewire.tour.Hop.main([str(work), previous])
    runtime = f"CPython {platform.python_version()}, JDK {gateway.java.lang.Runtime.version().feature()}"
    report: dict[str, Any] = {"runtime": runtime, "sets": {}}
    for planned in plan.sets:
        kind = module(work, planned.id).Root
        desk = gateway.jvm.io.samewire.tour.Desk(planned.outer)
        data = (work / planned.id / "java.pack").read_bytes()
        plain = source(work, planned.id).completed
        value = pack.codec(kind).decode(data)
        ways = [_ours(desk, kind, value), _peer(theirs, planned.outer, plain)]
        (work / planned.id / "bridge.pack").write_bytes(desk.packed())
        report["sets"][planned.id] = timed(work / planned.id, ways, plan, "bridge")
    return report


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    path = java_class_path(folder)
    py4j = JavaGateway.launch_gateway(classpath=path, die_on_exit=True)
    with bridge.launch(path) as running:
        found = hop(folder, sys.argv[2], running, py4j)
    py4j.shutdown()
    (folder / "bridge.json").write_text(json.dumps(found) + "\n", "utf-8")
