"""Header blocks that other encoders made: recorded.json beside this file.

One list of header lists, encoded on 21 November 2026 by nghttp2 1.61.0 (as node:http2 of Node 20.20 sends them), by
golang.org/x/net/http2/hpack 0.62.0 (grpc-go's encoder; `x-token-bin` marked as sensitive), and by the Python package
hpack 4.2.0, with and without Huffman codes.
"""

from __future__ import annotations

import json
from pathlib import Path

from spec.oracle.grpc.topic import Topic


def topics() -> list[Topic]:
    t = Topic("hpack_recorded", "RFC 7541")
    recorded = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
    for encoder, made in recorded["encoders"].items():
        for story, blocks in made.items():
            t.blocks(f"{encoder}: {story}", *blocks, fields=recorded["stories"][story])
    return [t]
