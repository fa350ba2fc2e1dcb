"""Samewire; ``untracked`` says, on the user's word, that no decoded record becomes part of a cycle."""

from __future__ import annotations

from importlib.metadata import version

from samewire import pack

from bench.peers.python.forms import Form
from bench.peers.python.peer import Peer


def _prepare(shape: str, form: str, profile: str, tracked: bool = True) -> Peer:
    codec = pack.codec(Form(form).type_of(shape), profile=profile, gc=tracked)
    buffer = bytearray()

    def into(value: object) -> int:
        buffer.clear()
        return codec.encode_into(value, buffer)

    return Peer(version("samewire"), form, codec.encode, codec.decode, into)


def compact(shape: str, form: str) -> Peer:
    return _prepare(shape, form, "compact")


def fast(shape: str, form: str) -> Peer:
    return _prepare(shape, form, "fast")


def untracked(shape: str, form: str) -> Peer:
    return _prepare(shape, form, "compact", tracked=False)
