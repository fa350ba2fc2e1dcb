"""Apache Fory for Python: its own protocol, registered classes, dataclasses with slots."""

from __future__ import annotations

from typing import Any

import pyfory

from bench.peers.python.forms import Form
from bench.peers.python.peer import Peer


def prepare(shape: str, form: str) -> Peer:
    fory: Any = pyfory.Fory(xlang=False, ref=False, strict=True, compatible=False)
    kind = Form(form)
    for record in (kind.event, kind.book, kind.node):
        fory.register_type(record)
    return Peer(pyfory.__version__, form, fory.serialize, fory.deserialize)
