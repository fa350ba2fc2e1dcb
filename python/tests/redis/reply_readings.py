"""Ways to read one stream of replies, for the fuzzer: what callers get must be the same in all of them."""

from __future__ import annotations

import asyncio
import random
import re
import socket
from dataclasses import dataclass
from typing import Any

import hiredis
from samewire._native import Link, Mux, Pipe
from samewire.limits import Limits
from samewire.redis import ProtocolError, PushNotification, Reader
from samewire.redis.exceptions import ConnectionError, InvalidResponse, RedisError
from samewire.redis.rules.error_replies import error_of

COMMAND = b"*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n"
MISSING = object()


class Finding(Exception):
    """What must not happen."""


@dataclass
class Case:
    """One stream, and how it is read."""

    stream: bytes
    pieces: list[bytes]
    commands: int
    decode: bool
    limits: Limits | None

    @property
    def options(self) -> dict[str, Any]:
        return {"reply_error": error_of, "decode_responses": self.decode, "limits": self.limits}

    def shown(self, value: Any) -> Any:
        """A reply so that two can be compared."""
        return shown(value, b"~" in self.stream)


@dataclass
class Outcome:
    """What a stream gives: replies in order, or what is raised for one; pushes; what is wrong with the bytes."""

    replies: list[Any]
    pushes: list[Any]
    error: Exception | None


def shown(value: Any, unordered: bool) -> Any:
    """A reply so that two can be compared: NaN equals NaN, True is not 1. A set that holds a list is a list in any order."""
    if isinstance(value, Exception):
        return (type(value).__name__, str(value), getattr(value, "code", None))
    if isinstance(value, list):
        parts = [shown(part, unordered) for part in value]
        return sorted(parts, key=repr) if unordered else parts
    if isinstance(value, set):
        return ("set", sorted(map(repr, value)))
    if isinstance(value, dict):
        return [(repr(key), shown(part, unordered)) for key, part in value.items()]
    return repr(value)


def is_reply(value: Any) -> bool:
    """Whether a caller got a reply, errors of the server among them, rather than a failure to make it."""
    # A redirection that leads nowhere is an InvalidResponse.
    return not isinstance(value, BaseException) or (isinstance(value, RedisError) and not isinstance(value, InvalidResponse))


def failure(may_have_run: bool) -> ConnectionError:
    made = ConnectionError("the connection is lost")
    made.may_have_run = may_have_run
    return made


def settled(call: Any) -> Any:
    """What a caller got: a reply, or what is raised; None if it was cancelled."""
    if not call.done():
        raise Finding("a caller waits though the connection is lost")
    if call.cancelled():
        return None
    return call.exception() or call.result()


async def by_mux(case: Case) -> Outcome:
    """Through a mux, at once; each command has a caller."""
    pushes: list[Any] = []
    mux = Mux(asyncio.get_running_loop(), on_push=pushes.append, **case.options)
    mux.connected(lambda data: None)
    calls = [mux.submit(("GET", "key")) for _ in range(case.commands)]
    mux.flush()
    error = received(mux, case.stream)
    answered = mux.replied
    mux.lost(failure)
    return Outcome([settled(call) for call in calls][:answered], pushes, error)


def received(mux: Mux, data: bytes) -> InvalidResponse | None:
    """Hands bytes to a mux, which refuses all that follows an error."""
    try:
        mux.data_received(data)
    except InvalidResponse as error:
        return error
    return None


async def by_cut_mux(case: Case, wanted: Outcome, source: random.Random) -> None:
    """Through a mux, in pieces: pipes beside single calls, and some callers are cancelled."""
    written: list[bytes] = []
    pushes: list[Any] = []
    mux = Mux(asyncio.get_running_loop(), on_push=pushes.append, **case.options)
    mux.connected(written.append)
    calls: list[tuple[Any, int, int]] = []
    begin = 0
    while begin < case.commands:
        size = min(source.choice((0, 0, 0, 1, 2, 3)), case.commands - begin)
        if size:
            calls.append((mux.run(pipe_of(size)), begin, size))
        else:
            calls.append(((mux.submit if source.random() < 0.5 else mux.call)(("GET", "key")), begin, 0))
        begin += size or 1
    await asyncio.sleep(0)
    if b"".join(written) != COMMAND * case.commands:
        raise Finding("the commands are not written as they were submitted")
    error = None
    for piece in case.pieces:
        if source.random() < 0.3:
            source.choice(calls)[0].cancel()
        room = mux.get_buffer()
        if len(piece) <= len(room) and source.random() < 0.5:
            room[: len(piece)] = piece
            try:
                mux.buffer_updated(len(piece))
            except InvalidResponse as raised:
                error = raised
        else:
            error = received(mux, piece)
        if error:
            break
        if source.random() < 0.5:
            await asyncio.sleep(0)
    if error and "no command" not in str(error) and not received(mux, b"+OK\r\n"):
        raise Finding("a mux goes on behind bytes that are not RESP")
    mux.lost(failure)
    await asyncio.sleep(0)
    if mux.open or len(mux):
        raise Finding("a lost mux is not empty")
    same("a mux in pieces", [case.shown(error), case.shown(pushes)], [case.shown(wanted.error), case.shown(wanted.pushes)])
    for call, begin, size in calls:
        if (got := settled(call)) is not None or not call.cancelled():
            same(f"a caller of a mux, from {begin}", case.shown(got), case.shown(share(wanted, begin, size)))
            if begin + (size or 1) > len(wanted.replies) and got.may_have_run is not True:
                raise Finding("a command that was written may have run")


def share(wanted: Outcome, begin: int, size: int) -> Any:
    """What a caller of one command (size 0) or of a pipe should get."""
    replies = wanted.replies[begin : begin + (size or 1)]
    if len(replies) < (size or 1):
        return failure(True)
    if not size:
        return replies[0]
    return next((reply for reply in replies if not is_reply(reply)), replies)


def pipe_of(size: int) -> Pipe:
    pipe = Pipe()
    for _ in range(size):
        pipe.append(("GET", "key"))
    return pipe


def by_link(case: Case, wanted: Outcome) -> None:
    """Through a link, in pieces that come when it waits for them."""
    mine, theirs = socket.socketpair()
    with mine, theirs:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        left = case.pieces[::-1]

        def wait(write: bool, seconds: float | None) -> int:
            if write or seconds is None:
                raise Finding("a link waits for what it need not")
            if left:
                theirs.sendall(left.pop())
            else:
                theirs.shutdown(socket.SHUT_WR)
            return 1

        pushes: list[Any] = []
        link = Link(mine, on_push=pushes.append, timeout=5.0, wait=wait, **case.options)
        got: Any
        try:
            got = link.run(pipe_of(case.commands))
        except Exception as error:
            got = error
        whole = len(wanted.replies) == case.commands
        if whole:
            same("a link", case.shown(got), case.shown(share(wanted, 0, case.commands)))
            if link.broken or (link.sent, link.replied) != (case.commands, case.commands):
                raise Finding("a link that has all replies is broken")
            # What has come behind the last reply is no reply to the next command.
            early = not left
            extra: Any
            try:
                extra = link.call(("GET", "key"))
            except (RedisError, UnicodeDecodeError, TypeError) as error:
                extra = error
            if early and not isinstance(extra, RedisError):
                raise Finding(f"a reply to no command became one: {extra!r}")
        else:
            refused = wanted.error or ConnectionError("the server closed the connection")
            same("a link", case.shown(got), case.shown(refused))
            if not link.broken or (link.sent, link.replied) != (case.commands, len(wanted.replies)):
                raise Finding("a link that lacks replies is not broken")
            good = [reply for reply in wanted.replies if is_reply(reply)]
            if len(good) == len(wanted.replies):
                same("what a link has so far", case.shown(link.partial), case.shown(good))
            try:
                link.call(("GET", "key"))
            except ConnectionError:
                pass
            else:
                raise Finding("a broken link is used again")
        if not whole or wanted.error is None:
            same("pushes of a link", case.shown(pushes[: len(wanted.pushes)]), case.shown(wanted.pushes[: len(pushes)]))


def by_reader(reader: Any, pieces: list[bytes]) -> Outcome:
    """Through `Reader`, or hiredis-py's, as far as that is in step."""
    theirs = isinstance(reader, hiredis.Reader)
    replies: list[Any] = []
    pushes: list[Any] = []
    for piece in pieces:
        reader.feed(piece)
        while True:
            try:
                reply = reader.gets()
            except (ProtocolError, hiredis.ProtocolError) as error:
                return Outcome(replies, pushes, error)
            except (InvalidResponse, UnicodeDecodeError, TypeError) as error:
                replies.append(error)
                if theirs:
                    return Outcome(replies, pushes, error)
                continue
            if reply is MISSING:
                break
            (pushes if isinstance(reply, (PushNotification, hiredis.PushNotification)) else replies).append(reply)
    return Outcome(replies, pushes, None)


def by_readers(case: Case, wanted: Outcome, intact: bool) -> None:
    """Through `Reader`, and hiredis-py's where what it does is known to be right."""
    options: dict[str, Any] = {"replyError": error_of, "encoding": "utf-8" if case.decode else None, "notEnoughData": MISSING}
    ours = by_reader(Reader(limits=case.limits, **options), case.pieces)
    # Sets stay sets in clients; a push behind an attribute is taken for a reply; one that cannot be made is nobody's.
    if not any(byte in case.stream for byte in b"~|") and (b">" not in case.stream or all(map(is_reply, ours.replies))):
        count = len(wanted.replies)
        same("Reader", case.shown(ours.replies[:count]), case.shown(wanted.replies))
        if len(ours.replies) < case.commands:
            same("Reader's error", code(ours.error), code(wanted.error))
    if case.limits or any(byte in case.stream for byte in b"|!?;>") or (b"%" in case.stream and not intact):
        # It makes replies of attributes, does not read streams and `!`, and mixes up values of keys that occur twice.
        return
    del options["replyError"]
    ours = by_reader(Reader(**options), case.pieces)
    if not intact and re.search(rb"[0-9]{7}", case.stream):
        # It allocates what a count announces, 16 GB if need be.
        return
    theirs = by_reader(hiredis.Reader(**options), [case.stream])
    common = min(len(ours.replies), len(theirs.replies))
    same("hiredis", [told(reply) for reply in ours.replies[:common]], [told(reply) for reply in theirs.replies[:common]])
    if intact and not theirs.error:
        same("hiredis' count", len(ours.replies), len(theirs.replies))


def told(reply: Any) -> Any:
    """As `shown`, without what differs: the modules of errors' classes, and which of two failures comes first."""
    return (
        str(shown(reply, unordered=False)).replace("hiredis.", "")
        if is_reply(reply) or "Reply" in type(reply).__name__
        else "failed"
    )


def code(error: Exception | None) -> str | None:
    """The code in an error's text."""
    return None if error is None else str(error).partition(" ")[0].rstrip(":")


def same(who: str, got: Any, wanted: Any) -> None:
    if got != wanted:
        raise Finding(f"{who} gave {got!r}, not {wanted!r}")
