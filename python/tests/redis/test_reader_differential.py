"""`Reader` beside hiredis-py's, on generated streams, whole and damaged, cut at every byte.

Where the two differ on purpose (spec/redis.md section 8) only this reader's side is stated: attributes are dropped instead
of becoming replies, streamed elements and `!` are read, and what hiredis lets pass (no CR LF behind a text, any negative
count as null) is refused.
"""

from __future__ import annotations

from typing import Any

import hiredis
from hypothesis import given, settings
from hypothesis import strategies as st
from samewire.redis import ProtocolError, Reader

MISSING = object()

texts = st.binary(max_size=12)
lines = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=10).map(str.encode)
leaves = st.one_of(
    st.just(b"_\r\n"),
    st.just(b"$-1\r\n"),
    st.just(b"*-1\r\n"),
    st.booleans().map(lambda flag: b"#t\r\n" if flag else b"#f\r\n"),
    st.integers(-(2**63), 2**63 - 1).map(lambda number: b":%d\r\n" % number),
    st.floats(allow_nan=False).map(lambda number: f",{number!r}\r\n".encode()),
    st.integers(-(10**40), 10**40).map(lambda number: b"(%d\r\n" % number),
    lines.map(lambda line: b"+" + line + b"\r\n"),
    lines.map(lambda line: b"-" + line + b"\r\n"),
    st.binary(max_size=120).map(lambda text: b"$%d\r\n%s\r\n" % (len(text), text)),
    texts.map(lambda text: b"=%d\r\ntxt:%s\r\n" % (len(text) + 4, text)),
)


def aggregates(inner: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    return st.one_of(
        st.tuples(st.sampled_from([b"*", b"~"]), st.lists(inner, max_size=4)).map(
            lambda made: made[0] + b"%d\r\n" % len(made[1]) + b"".join(made[1])
        ),
        # hiredis-py 3.5 gives the value of a repeated key to another key, so keys are distinct here.
        st.dictionaries(lines, inner, max_size=3).map(
            lambda entries: (
                b"%%%d\r\n" % len(entries)
                + b"".join(b"$%d\r\n%s\r\n" % (len(key), key) + value for key, value in entries.items())
            )
        ),
    )


elements = st.recursive(leaves, aggregates, max_leaves=12)


def shown(reply: Any) -> Any:
    if isinstance(reply, Exception):
        return ("error", reply.args)
    if isinstance(reply, list):
        return [shown(part) for part in reply]
    if isinstance(reply, dict):
        # A damaged map may have an error for a key, and errors are equal to themselves alone.
        return [(shown(key), shown(part)) for key, part in reply.items()]
    return repr(reply)


def drained(reader: Any, pieces: list[bytes]) -> tuple[list[Any], bool]:
    """The replies of a stream in pieces, and whether a protocol error ended it."""
    found: list[Any] = []
    for piece in pieces:
        reader.feed(piece)
        while True:
            try:
                reply = reader.gets()
            except (ProtocolError, hiredis.ProtocolError):
                return found, True
            except UnicodeDecodeError:
                found.append("not UTF-8")
                continue
            except TypeError:
                # A key without a hash. hiredis-py is out of step from here on.
                found.append("unhashable")
                if isinstance(reader, hiredis.Reader):
                    return found, True
                continue
            if reply is MISSING:
                break
            found.append(shown(reply))
    return found, False


@settings(max_examples=300, deadline=None)
@given(st.lists(elements, min_size=1, max_size=3).map(b"".join), st.sampled_from([None, "utf-8"]))
def test_reads_as_hiredis_does_wherever_the_stream_is_cut(stream: bytes, encoding: str | None) -> None:
    wanted = drained(hiredis.Reader(encoding=encoding, notEnoughData=MISSING), [stream])
    assert not wanted[1]
    for cut in range(len(stream) + 1):
        pieces = [stream[:cut], stream[cut:]]
        assert drained(Reader(encoding=encoding, notEnoughData=MISSING), pieces) == wanted


@settings(max_examples=600, deadline=None)
@given(elements, st.data())
def test_agrees_with_hiredis_on_damaged_streams_or_refuses_them(element: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(element) - 1))
    byte = data.draw(st.sampled_from([bytes([value]) for value in b"$*:+-,(#_%~=0159tf\r\n x"]))
    stream = element[:at] + byte + element[at + data.draw(st.integers(0, 1)) :] + b"+next\r\n"
    ours, refused = drained(Reader(notEnoughData=MISSING), [stream])
    every = drained(Reader(notEnoughData=MISSING), [stream[i : i + 1] for i in range(len(stream))])
    assert every == (ours, refused)
    theirs, _ = drained(hiredis.Reader(notEnoughData=MISSING), [stream])
    if not refused:
        # Whatever it takes, it takes as hiredis does; what follows may be left unread by either.
        common = min(len(ours), len(theirs))
        assert ours[:common] == theirs[:common]
    else:
        # What it refuses, hiredis refuses too or reads on out of step; the replies before are the same.
        assert ours == theirs[: len(ours)]
