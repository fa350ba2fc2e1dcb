"""Redis clients, from end to end with the smallest of counts. Of the programs those in C are built; redis-rs is measured if it is there."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from bench.lab.places import ROOT
from bench.lab.protocol import lines
from bench.peers import building

CALLS = [
    *((peer, "lrange-600") for peer in ("samewire", "redis-py-asyncio-pure")),
    *((peer, "unix-get") for peer in ("samewire-asyncio", "redis-py-pure", "coredis")),
    *((peer, "pipeline-1M") for peer in ("samewire", "redis-py", "glide-sync")),
    *((peer, "callers-1000") for peer in ("samewire-asyncio", "redis-py-asyncio", "glide")),
    *((peer, "parse-600") for peer in ("samewire", "hiredis-py", "split")),
    *((peer, "books-get") for peer in ("samewire", "redis-py-json", "redis-py-pickle")),
]


def said(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "bench.peers.redis", *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def report(peer: str, workload: str) -> dict[str, dict[str, Any]]:
    """What one process says, by operation."""
    found = lines(said(peer, workload, "--warm", "0.001", "--samples", "1", "--sample", "0.0004"))
    assert not any("wrong" in line for line in found), found
    return {line["op"]: line for line in found if "op" in line}


def check(peer: str, workload: str, memory: bool = True) -> None:
    told = report(peer, workload)
    more = {"memory"} if workload.startswith("pipeline") and memory else {"server"} if workload.startswith("books") else set()
    assert set(told) == {"call"} | more
    assert min(told["call"]["wall"]) > 0 <= min(told["call"]["cpu"])


@pytest.mark.parametrize(("peer", "workload"), CALLS)
def test_a_client_replies_as_the_server_does(peer: str, workload: str) -> None:
    check(peer, workload)


def test_programs_are_measured_or_say_what_is_missing() -> None:
    building.redis_in_c()
    peers = json.loads(said("list"))["peers"]
    for peer in ("raw", "hiredis", "redis-rs", "redis-benchmark"):
        if peers[peer]["missing"]:
            assert "no" in peers[peer]["missing"]
        else:
            check(peer, "pipelines-10k", memory=peer != "redis-benchmark")
    assert peers["samewire"]["version"] and len(peers) >= 15
