"""Routing facts against what a server says of the same commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from samewire._native import Link
from samewire.redis.exceptions import ResponseError
from samewire.redis.rules import routing
from servers import link, valkey

from codegen.redis.table import Table

TABLE = Table()


@pytest.fixture(scope="module")
def server() -> Iterator[Link]:
    with valkey() as running:
        yield link(running.port)


MOVABLE = """
BITOP AND d a b
BLMPOP 0 2 a b LEFT
BLPOP a b 0
BZMPOP 0 2 a b MIN
EVAL s 0 a
EVAL s 2 a b c
FCALL f 1 a b
GEORADIUS k 1 2 3 m STORE d
GEORADIUS store 1 2 3 m
GEORADIUSBYMEMBER k m 3 m STOREDIST d
LCS a b IDX
LMPOP 2 a b LEFT
MIGRATE h 1 k 0 5
MSET a 1 b 2
MSETEX 2 a 1 b 2 EX 3
OBJECT ENCODING k
SINTERCARD 2 a b LIMIT 1
SORT k
SORT k BY STORE STORE d
SORT k LIMIT 0 5 GET STORE GET b
SORT k STORE d STORE e
XGROUP CREATE k g 0
XINFO STREAM k
XREAD COUNT 1 STREAMS a b 1 2
XREADGROUP GROUP streams streams STREAMS a b 1 2
XREADGROUP GROUP g c BLOCK 0 STREAMS a >
ZDIFF 2 a b WITHSCORES
ZUNIONSTORE d 2 a b WEIGHTS 1 2
"""


@pytest.mark.parametrize("line", MOVABLE.strip().splitlines())
def test_finds_keys_where_the_server_does(server: Link, line: str) -> None:
    words = line.split(" ")
    expected = [key.decode() for key in server.call(("COMMAND", "GETKEYS", *words))]
    assert list(routing.keys_of(words)) == expected
    assert list(routing.keys_of([word.lower().encode() if index == 0 else word for index, word in enumerate(words)])) == expected
    joined = " ".join(words[:2])
    if joined in TABLE.names:
        assert list(routing.keys_of([joined, *words[2:]])) == expected


def test_finds_keys_of_every_command_with_a_fixed_place(server: Link) -> None:
    compared = 0
    for name, row in TABLE.pinned.items():
        specs = row["key_specs"]
        if not specs or any("not_key" in spec["flags"] or "index" not in spec["begin"] for spec in specs):
            continue
        # As many words as the command needs, then a few more: numbers, which pass as counts and as keys.
        for more in range(4):
            words = [*name.split(" "), *(["1"] * (abs(row["arity"]) - name.count(" ") - 1 + (more if row["arity"] < 0 else 0)))]
            try:
                expected = server.call(("COMMAND", "GETKEYS", *words))
            except ResponseError:
                continue
            assert [key.encode() for key in routing.keys_of(words)] == expected, words
            compared += 1
    assert compared > 300


def test_migrate_finds_keys_behind_their_word() -> None:
    assert list(routing.keys_of(["MIGRATE", "h", 1, "", 0, 5, "KEYS", "a", "b"])) == ["a", "b"]


def test_hashes_channels_of_shards() -> None:
    assert list(routing.keys_of(["SPUBLISH", "channel", "text"])) == ["channel"]


def test_tells_what_waits() -> None:
    assert routing.is_blocking(["BLPOP", "a", 0])
    assert routing.is_blocking(["xread", b"block", 0, "STREAMS", "a", "0"])
    assert not routing.is_blocking(["XREAD", "STREAMS", "BLOCK", "0"])
    assert not routing.is_blocking(["LPOP", "a"])


def test_repeats_only_what_does_no_harm() -> None:
    assert routing.may_repeat(["GET", "a"])
    assert routing.may_repeat([b"config", "get", "*"])
    assert routing.may_repeat(["CONFIG GET", "*"])
    for line in ("SET a 1", "INCR a", "EVAL s 0", "CONFIG SET a b", "NOBODY knows", "PUBLISH a b", "SORT a", "SELECT 1"):
        assert not routing.may_repeat(line.split(" ")), line


def test_repeats_nothing_that_waits_for_what_comes_from_now_on() -> None:
    for line in ("XREAD STREAMS a 0", "XREAD BLOCK 0 STREAMS a $ 0 +", "XREAD STREAMS", "TS.READ $ 0", "TS.READ", "XREAD"):
        assert routing.may_repeat(line.split(" ")), line
    for line in ("XREAD STREAMS a $", "xread BLOCK 0 STREAMS a b 0 $", "TS.READ a $ BLOCK 0 1"):
        assert not routing.may_repeat(line.split(" ")), line
    assert not routing.may_repeat([b"XREAD", b"BLOCK", 0, b"STREAMS", b"a", b"$"])


def test_knows_nothing_of_other_commands() -> None:
    found = routing.facts(["GRAPH.QUERY", "key"])
    assert not found.known
    assert not found.readonly
    assert list(routing.keys_of(["GRAPH.QUERY", "key"])) == []
