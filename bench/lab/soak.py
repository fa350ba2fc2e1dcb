"""``bench run grpc --soak``: calls of several libraries' clients on our server for minutes, each reply and each message counted."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from bench.lab.refusal import Refusal
from bench.lab.run import call
from bench.peers import building

MINUTES = 10.0
"""How long a soak takes by default."""
ENDING = 60.0
"""Seconds for the clients to end."""


def soaked(areas: Sequence[str], minutes: float | None, console: Console) -> int:
    """Runs a soak and prints its result. Returns the exit code: 1 if anything was lost, came twice, or grew.

    Raises Refusal for areas other than ``grpc``, and where the clients' packages cannot be had.
    """
    if list(areas) != ["grpc"]:
        raise Refusal(f"--soak is for grpc: bench run grpc --soak, not {' '.join(areas) or 'every area'}")
    try:
        soak = building.grpc_soak()
    except building.BuildError as why:
        raise Refusal(str(why)) from None
    seconds = (MINUTES if minutes is None else minutes) * 60
    command = [*soak, f"{seconds:g}", sys.executable]
    try:
        status, out, err = call(command, seconds + ENDING)
    except subprocess.TimeoutExpired:
        console.print(f"no end within {seconds + ENDING:.0f} s")
        return 1
    try:
        told(json.loads(out), console)
    except ValueError:
        console.print(err.strip()[-800:] or "it ended without a word")
        return 1
    return status


def told(result: dict[str, Any], console: Console) -> None:
    """Prints the result of a soak."""
    for name, client in result["clients"].items():
        calls, sent, received, cancelled, late = (
            client.get(key, 0) for key in ("calls", "sent", "received", "cancelled", "late")
        )
        console.print(
            f"{name}: {calls:,} calls, {sent:,} messages sent, {received:,} received; "
            f"{cancelled:,} calls cancelled, {late:,} past their deadline"
        )
    server = result["server"]
    console.print(f"server: {server['begun']:,} calls began, {server['ended']:,} ended, {server['messages']:,} messages came")
    console.print(f"the server's heap after a collection: {result['heap']['early']} MB early, {result['heap']['late']} MB late")
    for name, held in result["memory"].items():
        console.print(f"resident memory, {name}: {held['early']} MB early, {held['late']} MB late")
    for text in result["wrong"]:
        console.print(f"WRONG: {text}")
    if not result["wrong"]:
        console.print(f"in {result['seconds']:g} s nothing was lost, nothing came twice, no memory grew")
