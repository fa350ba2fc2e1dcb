"""A soak of gRPC, shortened to seconds."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from bench.lab.refusal import Refusal
from bench.lab.soak import soaked, told


def test_soak_loses_and_doubles_nothing() -> None:
    console = Console(file=io.StringIO(), width=200)
    status = soaked(["grpc"], 0.05, console)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    lines = said.splitlines()
    assert [line.split(":")[0] for line in lines[:4]] == ["samewire", "grpc-js", "grpcio", "server"], said
    # What a client compiles in its first seconds may look like growth.
    assert not [line for line in lines if line.startswith("WRONG") and "memory grew" not in line], said
    assert status in (0, 1)


def test_soak_says_what_is_wrong() -> None:
    console = Console(file=io.StringIO(), width=200)
    client = {"calls": 2, "sent": 2, "received": 1, "cancelled": 0, "late": 0}
    server = {"begun": 2, "ended": 1, "messages": 1}
    memory = {"server": {"early": 70.0, "late": 71.0}}
    wrong = ["the server saw 1 messages of 2", "1 calls never ended"]
    result = {"seconds": 3, "clients": {"samewire": client}, "server": server, "heap": {"early": 8.1, "late": 8.2}}
    told({**result, "memory": memory, "wrong": wrong}, console)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "WRONG: the server saw 1 messages of 2" in said and "nothing was lost" not in said


def test_soak_is_for_grpc() -> None:
    with pytest.raises(Refusal, match="bench run grpc --soak"):
        soaked(["pack"], None, Console(file=io.StringIO()))
