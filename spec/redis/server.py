"""Writes commands.json: what a server says of its commands in `COMMAND DOCS` and `COMMAND INFO`.

usage: python -m spec.redis.server SERVER [--out FILE]     SERVER: the path of a valkey-server
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from spec.oracle.redis.decode import decode
from spec.oracle.redis.encode import command

#: The table of the pinned server.
TABLE = Path(__file__).parent / "commands.json"

#: What is kept of a command's documentation. The rest is its history.
DOCS = ("summary", "group", "since", "deprecated_since", "replaced_by", "doc_flags", "complexity")

#: What is kept of an argument, in this order. `arguments` are those of a block or the choices of a `oneof`.
ARGUMENT = ("name", "type", "key_spec_index", "token", "flags", "arguments")

PONG = b"+PONG\r\n"


def plain(value: Any) -> Any:
    """A reply in the notation of the vectors as plain JSON."""
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    match kind:
        case "array" | "set":
            return [plain(item) for item in inner]
        case "map":
            return {plain(key): plain(item) for key, item in inner}
        case "integer":
            return int(inner)
    return bytes.fromhex(inner).decode()


def ask(path: Path, *words: str) -> Any:
    """The reply to one command, on a connection of its own."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        # The pong tells where the reply ends, so that it is decoded once.
        connection.sendall(b"".join(command([word.encode() for word in line]) for line in (["HELLO", "3"], words, ["PING"])))
        data = b""
        while not data.endswith(PONG):
            data += connection.recv(1 << 20)
    _, hello = decode(data)
    return plain(decode(data[hello.pos :])[0])


def argument(given: dict[str, Any]) -> dict[str, Any]:
    """One argument of a command, with the ones inside it."""
    kept = {name: given[name] for name in ARGUMENT if name in given}
    if "arguments" in kept:
        kept["arguments"] = [argument(inner) for inner in kept["arguments"]]
    return kept


def key_spec(given: dict[str, Any]) -> dict[str, Any]:
    """Where keys begin, how they are found from there, and what is done with them."""
    find = {"type": given["find_keys"]["type"]} | given["find_keys"]["spec"]
    return {"flags": given["flags"], "begin": given["begin_search"]["spec"], "find": find}


def rows(docs: dict[str, Any], infos: list[Any]) -> dict[str, Any]:
    """One row a command or subcommand, by its name in capitals; a container has a row of its own."""
    found = {}
    for info in infos:
        name, arity, flags, _, _, _, categories, tips, specs, inner = info
        said = docs[name]
        row = {field: said[field] for field in DOCS if field in said}
        row |= {"arity": arity, "flags": flags, "categories": categories, "tips": tips}
        row["key_specs"] = [key_spec(spec) for spec in specs]
        row["arguments"] = [argument(given) for given in said.get("arguments", [])]
        found[name.replace("|", " ").upper()] = row
        found |= rows(said.get("subcommands", {}), inner)
    return dict(sorted(found.items()))


def text(version: str, table: dict[str, Any]) -> str:
    """The file: a line for each command, so that a difference shows which one has changed."""
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in table.items()]
    return f'{{"server": {json.dumps(version)}, "commands": {{\n' + ",\n".join(lines) + "\n}}\n"


def listens(path: Path) -> bool:
    """Whether a server accepts connections: the socket is there a little earlier."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


def from_server(binary: Path) -> str:
    """The table of a server, which is started for it and ended."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "socket")
        options = ["--port", "0", "--unixsocket", str(path), "--dir", folder, "--save", "", "--appendonly", "no"]
        server = subprocess.Popen([binary, *options], stdout=subprocess.DEVNULL)
        try:
            while not listens(path):
                if server.poll() is not None:
                    raise SystemExit(f"{binary} ended with {server.returncode} before it served")
                time.sleep(0.01)
            version = ask(path, "HELLO", "3")
            return text(f"{version['server']} {version['version']}", rows(ask(path, "COMMAND", "DOCS"), ask(path, "COMMAND")))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", type=Path)
    parser.add_argument("--out", type=Path, default=TABLE)
    given = parser.parse_args()
    given.out.write_text(from_server(given.server), encoding="utf-8")
