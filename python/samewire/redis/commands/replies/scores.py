"""Members of sorted sets with their scores.

RESP2 sends a flat list with scores as texts, RESP3 pairs with doubles. `score_cast_func` is called with the text where the
shape is that of RESP2 (made from the double if need be), else with the double.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .texts import number

Cast = Callable[[Any], Any]


def as_text(score: Any) -> Any:
    """A score as RESP2 sends it."""
    return format(score, ".17g").encode() if isinstance(score, float) else score


def tolerant(cast: Cast) -> Cast:
    """A cast that is called with the float if it refuses the text: int() refuses "1e+18"."""
    if cast is float:
        return cast

    def cast_text(score: Any) -> Any:
        try:
            return cast(score)
        except (ValueError, TypeError):
            return cast(float(score))

    return cast_text


def _scored(reply: Any) -> Iterator[tuple[Any, Any]]:
    """Members and scores as the wire has them."""
    if isinstance(reply[0], list):
        return ((member, score) for member, score in reply)
    turns = iter(reply)
    return zip(turns, turns, strict=False)


def _tuples(reply: Any, cast: Cast) -> list[tuple[Any, Any]]:
    if cast is float:
        if isinstance(reply[0], list):
            return [(member, score) for member, score in reply]
        return [(member, float(score)) for member, score in _scored(reply)]
    cast = tolerant(cast)
    return [(member, cast(as_text(score))) for member, score in _scored(reply)]


def _lists(reply: Any, cast: Cast) -> Any:
    if cast is float:
        if isinstance(reply[0], list):
            return reply
        return [[member, float(score)] for member, score in _scored(reply)]
    return [[member, cast(number(score))] for member, score in _scored(reply)]


def tuples(reply: Any, *, withscores: Any = False, score_cast_func: Cast = float, **_: Any) -> Any:
    """`[(member, score), …]`"""
    return _tuples(reply, score_cast_func) if reply and withscores else reply


def lists(reply: Any, *, withscores: Any = False, score_cast_func: Cast = float, **_: Any) -> Any:
    """`[[member, score], …]`"""
    return _lists(reply, score_cast_func) if reply and withscores else reply


def alternating(reply: Any, *, withscores: Any = False, **_: Any) -> Any:
    """`[member, score as text, …]`"""
    if reply and withscores and isinstance(reply[0], list):
        return [one for member, score in reply for one in (member, as_text(score))]
    return reply


def _single(reply: Any) -> Any:
    """What RESP3 sends of a pop without a count, `[member, score]`, as one pair."""
    return [reply] if len(reply) == 2 and isinstance(reply[1], float) else reply


def popped_tuples(reply: Any, *, score_cast_func: Cast = float, **_: Any) -> Any:
    """`[(member, score), …]`, with a count or without."""
    return _tuples(_single(reply), score_cast_func) if reply else reply


def popped_lists(reply: Any, *, score_cast_func: Cast = float, **_: Any) -> Any:
    """`[[member, score], …]`, with a count or without."""
    return _lists(_single(reply), score_cast_func) if reply else reply


def blocked_tuple(reply: Any, **_: Any) -> tuple[Any, Any, float] | None:
    """`(key, member, score)`"""
    return (reply[0], reply[1], float(reply[2])) if reply else None


def blocked_list(reply: Any, **_: Any) -> list[Any] | None:
    """`[key, member, score]`"""
    return [reply[0], reply[1], float(reply[2])] if reply else None


def from_key_texts(reply: Any, **_: Any) -> Any:
    """`[key, [[member, score as text], …]]`"""
    return [reply[0], [[member, as_text(score)] for member, score in reply[1]]] if reply else reply


def from_key(reply: Any, **_: Any) -> Any:
    """`[key, [[member, score], …]]`"""
    return [reply[0], [[member, number(score)] for member, score in reply[1]]] if reply else reply


def rank_text(reply: Any, *, withscore: Any = False, score_cast_func: Cast = float, **_: Any) -> Any:
    """`[rank, score]`"""
    return [reply[0], tolerant(score_cast_func)(as_text(reply[1]))] if reply and withscore else reply


def rank(reply: Any, *, withscore: Any = False, score_cast_func: Cast = float, **_: Any) -> Any:
    """`[rank, score]`"""
    return [reply[0], score_cast_func(number(reply[1]))] if reply and withscore else reply


def added(reply: Any, *, as_score: Any = False, **_: Any) -> Any:
    """The number of members added; with INCR the new score."""
    return number(reply) if as_score else reply


def scanned_tuples(reply: Any, *, score_cast_func: Cast = float, **_: Any) -> tuple[int, Any]:
    """The cursor and `[(member, score), …]`. Scores come as texts with either protocol."""
    cursor, found = reply
    return int(cursor), _tuples(found, score_cast_func) if found else []


def scanned_lists(reply: Any, *, score_cast_func: Cast = float, **_: Any) -> tuple[int, Any]:
    """The cursor and `[[member, score], …]`."""
    cursor, found = reply
    return int(cursor), _lists(found, score_cast_func) if found else []
