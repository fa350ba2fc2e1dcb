"""Carries the data: Python, a bridge to Java, TypeScript, a gRPC call, a Valkey server, Rust, Python.

Each is a process that decodes to its own types and encodes again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tour.building import rust_hop
from tour.places import ROOT
from tour.plan import Plan
from tour.results import HOPS


class HopError(Exception):
    """A hop failed, or passed on other values than it got."""


def carry(work: Path, say: Callable[[str], None]) -> None:
    """Runs every hop over every data set of the plan. Raises HopError.

    say: called before each hop with its name.
    """
    python = [sys.executable, "-m", "tour.python_hop"]
    say("Python: typed values out of the source")
    _run("Python", [*python, "begin", str(work)])
    say("Java: called from Python over a bridge, every data set handed over and back")
    _run("Java", [sys.executable, "-m", "tour.bridge_hop", str(work), "python"])
    _same_bytes(work, "java")
    _same_bytes(work, "bridge")
    say("TypeScript")
    _run("TypeScript", ["node", str(work / "typescript/dist/hop.js"), str(work), "java"])
    _same_bytes(work, "typescript")
    say("gRPC: served and fetched by TypeScript, as pack and as protobuf")
    _run("gRPC", ["node", str(work / "typescript/dist/call.js"), str(work), "typescript"])
    _same_bytes(work, "grpc")
    _same_bytes(work, "grpc-protobuf")
    say("Valkey: every row stored by Python, and read again by Python and Java")
    _run("Valkey", [sys.executable, "-m", "tour.redis_hop", str(work), "grpc"])
    _same_bytes(work, "redis")
    _same_bytes(work, "redis-java")
    say("Rust")
    _run("Rust", [str(rust_hop()), str(work), "redis"])
    _same_bytes(work, "rust")
    say("Python: is it what went out?")
    _run("Python", [*python, "finish", str(work)])


def _run(language: str, command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HopError(f"the hop through {language} failed:\n{(done.stdout + done.stderr)[-6000:]}")


def _same_bytes(work: Path, language: str) -> None:
    for each in Plan.read(work).sets:
        sent = (work / each.id / "python.pack").read_bytes()
        if (work / each.id / f"{language}.pack").read_bytes() != sent:
            raise HopError(f"{each.id}: the hop through {HOPS.get(language, language)} wrote other bytes than it got")
