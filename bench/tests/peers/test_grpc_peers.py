"""gRPC's clients and servers for Node, from end to end with the smallest of counts; h2load and compilers are not needed."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from bench.lab.places import PEERS, ROOT
from bench.lab.protocol import lines

PERCENTILES = {"p50", "p90", "p99", "p99.9"}
CALLS = [
    *((peer, "unary-1") for peer in ("samewire", "samewire-async", "grpc-js", "nice-grpc", "connect-node")),
    *((peer, "server-stream") for peer in ("samewire", "samewire-async", "nice-grpc", "connect-node")),
    *((peer, "bidi-100") for peer in ("samewire", "samewire-async", "grpc-js", "nice-grpc", "connect-node")),
    ("samewire", "unary-1MB"),
]


def report(peer: str, workload: str) -> dict[str, dict[str, Any]]:
    """What one process says, by operation."""
    command = [
        "node",
        str(PEERS / "node-grpc" / "main.mjs"),
        peer,
        workload,
        "--warm",
        "0.01",
        "--samples",
        "1",
        "--sample",
        "0.001",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    said = lines(done.stdout)
    assert done.returncode == 0 and not any("failed" in line for line in said), done.stdout + done.stderr
    return {line["op"]: line for line in said if "op" in line}


@pytest.mark.parametrize(("peer", "workload"), CALLS)
def test_a_client_and_its_server_exchange_messages(peer: str, workload: str) -> None:
    said = report(peer, workload)
    timed = workload not in ("server-stream", "unary-1MB")
    assert set(said) == {"call"} | (PERCENTILES if timed else set()) | ({"peak"} if workload == "unary-1MB" else set())
    assert min(said["call"]["cpu"]) > 0 and min(said["call"]["wall"]) > 0
    if timed:
        (p50,), (last,) = (said[name]["wall"] for name in ("p50", "p99.9"))
        assert 0 < p50 <= last


@pytest.mark.parametrize("workload", ["idle-streams", "connections"])
def test_memory_is_told_in_bytes(workload: str) -> None:
    said = report("samewire", workload)
    assert set(said) == {"memory"} and said["memory"]["unit"] == "B"
