"""Samewire; ``untracked`` says, on the user's word, that no decoded record becomes part of a cycle."""

from __future__ import annotations

from functools import partial

from samewire import pack

from bench.peers.python.peer import Peer, Row, Workload


def _prepare(profile: str, tracked: bool, workload: Workload) -> Peer:
    codec = pack.codec(workload.type, profile=profile, gc=tracked)
    buffer = bytearray()

    def into(value: object) -> int:
        buffer.clear()
        return codec.encode_into(value, buffer)

    return Peer(codec.encode, codec.decode, into)


def _row(profile: str, *forms: str, tracked: bool = True) -> Row:
    checks = "all bounds, text, schema types, limits"
    return Row("samewire", "typed", checks, False, forms, own=tracked, prepare=partial(_prepare, profile, tracked))


ROWS = {
    "samewire-compact": _row("compact", "slots", "plain", "named", "struct"),
    "samewire-fast": _row("fast", "slots", "plain", "named", "struct"),
    "samewire-compact-untracked": _row("compact", "slots", "plain", "named", tracked=False),
}
