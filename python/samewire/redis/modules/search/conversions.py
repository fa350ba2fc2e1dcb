"""Replies of searches as redis-py's values, by the protocol and whether values are those of RESP2.

A conversion takes the reply and what was asked (`Asked`). The tables say which one a client uses for a command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .aggregation import AggregateRequest, AggregateResult, Cursor
from .hybrid import HybridCursorResult, HybridResult
from .query import Query
from .results import ProfileInformation, Result, decoded, named, texts


@dataclass(frozen=True)
class Asked:
    """The query of a reply, and how many milliseconds it took."""

    query: Any = None
    duration: float = 0


def found(reply: Any, asked: Asked) -> Result:
    """FT.SEARCH of RESP2."""
    query: Query = asked.query
    return Result(
        reply,
        not query._no_content,
        asked.duration,
        query._with_payloads,
        query._with_scores,
        query._return_fields_decode_as,
    )


def found_map(reply: Any, asked: Asked) -> Result:
    """FT.SEARCH of RESP3."""
    return Result.from_resp3(reply, asked.duration, asked.query._with_scores, asked.query._return_fields_decode_as)


def found_as_sent(reply: Any, asked: Asked) -> Any:
    """FT.SEARCH of RESP3 as the dictionary that it is, with str for names."""
    if not isinstance(reply, dict):
        return reply
    said = named(reply)
    if "results" in said:
        said["results"] = [item_as_sent(item, asked) if isinstance(item, dict) else item for item in said["results"]]
    if "warning" in said:
        said["warning"] = [texts(warning) for warning in said["warning"]]
    return said


def item_as_sent(item: Any, asked: Asked) -> dict[str, Any]:
    """One result of it."""
    made = named(item)
    if "id" in made:
        made["id"] = texts(made["id"])
    if isinstance(made.get("extra_attributes"), dict):
        made["extra_attributes"] = decoded(made["extra_attributes"], asked.query._return_fields_decode_as)
    return made


def cursor_of(query: Any, number: Any) -> Cursor:
    """The cursor for what follows."""
    if isinstance(query, Cursor):
        query.cid = number
        return query
    return Cursor(number)


def has_cursor(query: Any) -> bool:
    """Whether a reply has a cursor."""
    return isinstance(query, Cursor) or bool(query._cursor)


def rows(reply: Any, asked: Asked) -> AggregateResult:
    """FT.AGGREGATE of RESP2."""
    query = asked.query
    cursor = None
    if has_cursor(query):
        cursor = cursor_of(query, reply[1])
        reply = reply[0]
    if isinstance(query, AggregateRequest) and query._with_schema:
        return AggregateResult(reply[2:], cursor, reply[0])
    return AggregateResult(reply[1:], cursor, None)


def rows_map(reply: Any, asked: Asked) -> AggregateResult:
    """FT.AGGREGATE of RESP3."""
    number = 0
    if has_cursor(asked.query) and isinstance(reply, list):
        number = reply[1] if len(reply) > 1 else 0
        reply = reply[0]
    said = named(reply or {})
    made = [
        [word for pair in item.get("extra_attributes", {}).items() for word in pair]
        for item in map(named, said.get("results", []))
    ]
    cursor = cursor_of(asked.query, number) if has_cursor(asked.query) else None
    return AggregateResult(made, cursor, None, said.get("total_results", 0), texts(said.get("warning", [])))


def result_of(reply: Any, asked: Asked) -> Any:
    """The result in a profile of RESP2."""
    query = asked.query
    if isinstance(query, AggregateRequest):
        return rows(reply, asked)
    return Result(reply, not query._no_content, asked.duration, query._with_payloads, query._with_scores)


def profiled(reply: Any, asked: Asked) -> tuple[Any, ProfileInformation]:
    """FT.PROFILE of RESP2."""
    return result_of(reply[0], asked), ProfileInformation(reply[1])


def profiled_named(reply: Any, asked: Asked) -> tuple[Any, ProfileInformation]:
    """FT.PROFILE of RESP2, its profile as a dictionary if it has names."""
    said = reply[1]
    if isinstance(said, list) and said and isinstance(said[0], (str, bytes)):
        said = named(said)
    return result_of(reply[0], asked), ProfileInformation(said)


def profile_parts(reply: Any, asked: Asked) -> tuple[Any, Any]:
    """The result and the profile of RESP3, which servers name in several ways."""
    said = {texts(name): value for name, value in reply.items()}
    results, profile = (
        next((said[name] for name in names if said.get(name) is not None), None)
        for names in (("Results", "results", 0), ("Profile", "profile", 1))
    )
    if isinstance(results, list):
        results = {"total_results": len(results), "results": results}
    query = asked.query
    if isinstance(query, AggregateRequest):
        return rows_map(results, asked), texts(profile)
    return Result.from_resp3(results, asked.duration, query._with_scores), texts(profile)


def profiled_map(reply: Any, asked: Asked) -> tuple[Any, ProfileInformation]:
    """FT.PROFILE of RESP3 as RESP2's lists."""
    if isinstance(reply, list):
        return profiled(reply, asked)
    result, profile = profile_parts(reply, asked)
    if isinstance(profile, dict):
        profile = flattened(profile) if by_shard(profile) else listed(profile)
    return result, ProfileInformation(profile)


def profiled_map_named(reply: Any, asked: Asked) -> tuple[Any, ProfileInformation]:
    """FT.PROFILE of RESP3: a dictionary if it names shards, as of Redis 8."""
    if isinstance(reply, list):
        return profiled_named(reply, asked)
    result, profile = profile_parts(reply, asked)
    if isinstance(profile, dict) and not by_shard(profile):
        profile = listed(profile)
    return result, ProfileInformation(profile)


def by_shard(profile: dict[Any, Any]) -> bool:
    """Whether a profile is Redis 8's."""
    return "Shards" in profile or "Coordinator" in profile


def profiled_as_sent(reply: Any, asked: Asked) -> ProfileInformation:
    """FT.PROFILE of RESP3."""
    return ProfileInformation(reply)


def entry(name: Any, value: Any) -> list[Any]:
    """A name and its value, or its values if they are dictionaries."""
    several = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    return [name, *map(flattened, value)] if several else [name, flattened(value)]


def listed(profile: dict[Any, Any]) -> list[Any]:
    """A dictionary as a list of entries."""
    return [entry(name, value) for name, value in profile.items()]


def flattened(value: Any) -> Any:
    """Dictionaries as lists of names and values, all the way down."""
    if isinstance(value, dict):
        return [word for pair in value.items() for word in entry(*pair)]
    return [flattened(item) for item in value] if isinstance(value, list) else value


def corrections(reply: Any, _: Asked) -> dict[Any, Any]:
    """FT.SPELLCHECK of RESP2: for each term its suggestions."""
    return {
        one[1]: [{"score": item[0], "suggestion": item[1]} for item in one[2]]
        for one in reply or []
        if not isinstance(one, int) and len(one) == 3 and one[2] and one[2][0]
    }


def corrections_map(reply: Any, asked: Asked) -> dict[Any, Any]:
    """FT.SPELLCHECK of RESP3."""
    if not isinstance(reply, dict):
        return corrections(reply, asked)
    made = {
        term: [{"score": str(score).removesuffix(".0"), "suggestion": word} for one in said for word, score in one.items()]
        for term, said in named(reply).get("results", {}).items()
    }
    return {term: items for term, items in made.items() if items}


#: Names in the description of a field that have a value.
PAIRS = frozenset({"identifier", "attribute", "type", "WEIGHT", "SEPARATOR", "PHONETIC"})


def info(reply: Any, _: Asked) -> dict[Any, Any]:
    """FT.INFO of RESP2."""
    words = [word.decode("utf-8", "replace") if isinstance(word, bytes) else word for word in reply]
    return dict(zip(words[::2], words[1::2], strict=False))


def info_named(reply: Any, asked: Asked) -> dict[Any, Any]:
    """FT.INFO of RESP2, with a dictionary for each field."""
    said = info(reply, asked)
    if isinstance(said.get("attributes"), list):
        said["attributes"] = [field(one) if isinstance(one, list) else one for one in said["attributes"]]
    return said


def field(words: list[Any]) -> dict[str, Any]:
    """A field's names with their values; `flags` has the words without one."""
    made: dict[str, Any] = {}
    flags = []
    left = iter([word.decode("utf-8", "replace") if isinstance(word, bytes) else word for word in words])
    for word in left:
        value = next(left, None) if word in PAIRS else None
        if value is None:
            flags.append(word)
        else:
            made[word] = value
    return {**made, "flags": flags}


def info_map(reply: Any, _: Asked) -> Any:
    """FT.INFO of RESP3, with str for all bytes."""
    return texts(reply)


def info_map_flat(reply: Any, _: Asked) -> Any:
    """FT.INFO of RESP3, with str for all bytes and a list for each field."""
    said = texts(reply)
    if isinstance(said.get("attributes"), list):
        said["attributes"] = [field_words(one) if isinstance(one, dict) else one for one in said["attributes"]]
    return said


def field_words(said: dict[Any, Any]) -> list[Any]:
    """A field's names, values and flags."""
    words = [word for name, value in said.items() if name != "flags" for word in (name, value)]
    return words + list(said.get("flags") or [])


def pairs(reply: Any, _: Asked) -> dict[Any, Any]:
    """FT.CONFIG GET of RESP2."""
    return {one[0]: one[1] for one in reply or []}


def map_as_sent(reply: Any, _: Asked) -> dict[Any, Any]:
    """A dictionary, empty for none."""
    return dict(reply or {})


def map_texts(reply: Any, _: Asked) -> Any:
    """A dictionary with str for all bytes, empty for none."""
    return texts(reply) if reply else {}


def alternating(reply: Any, _: Asked) -> dict[Any, Any]:
    """FT.SYNDUMP of RESP2."""
    return dict(zip(reply[::2], reply[1::2], strict=False))


def aliases(reply: Any, _: Asked) -> set[Any]:
    """FT.ALIASLIST."""
    return set(reply or ())


def hybrid(reply: Any, asked: Asked) -> HybridResult | HybridCursorResult:
    """FT.HYBRID of either protocol; values are bytes."""
    said = named(reply)
    if asked.query[1]:
        return HybridCursorResult(int(said["SEARCH"]), int(said["VSIM"]))
    return HybridResult(
        int(said.get("total_results", 0)),
        [named(item) for item in said.get("results", [])],
        said.get("warnings", []),
        float(said.get("execution_time", 0)),
    )


def hybrid_decoded(reply: Any, asked: Asked) -> HybridResult | HybridCursorResult:
    """FT.HYBRID of either protocol, with str for the fields that have an encoding and bytes for the others."""
    made = hybrid(reply, asked)
    encodings = getattr(asked.query[0], "_return_fields_decode_as", {})
    if isinstance(made, HybridResult) and encodings:
        made.results = [
            {name: decoded({name: value}, encodings)[name] if name in encodings else value for name, value in item.items()}
            for item in made.results
        ]
    return made


def hybrid_as_sent(reply: Any, asked: Asked) -> dict[str, Any]:
    """FT.HYBRID of RESP3 as the dictionary that it is."""
    said = named(reply)
    if not asked.query[1]:
        if "results" in said:
            said["results"] = [named(item) for item in said["results"]]
        if "warnings" in said:
            said["warnings"] = [texts(warning) for warning in said["warnings"]]
    return said


Conversion = Callable[[Any, Asked], Any]

RESP2: Mapping[str, Conversion] = {
    "FT.AGGREGATE": rows,
    "FT.ALIASLIST": aliases,
    "FT.CONFIG": pairs,
    "FT.HYBRID": hybrid,
    "FT.INFO": info,
    "FT.PROFILE": profiled,
    "FT.SEARCH": found,
    "FT.SPELLCHECK": corrections,
    "FT.SYNDUMP": alternating,
}
RESP3: Mapping[str, Conversion] = {
    "FT.ALIASLIST": aliases,
    "FT.HYBRID": hybrid_as_sent,
    "FT.PROFILE": profiled_as_sent,
    "FT.SEARCH": found_as_sent,
}
RESP2_UNIFIED: Mapping[str, Conversion] = {
    **RESP2,
    "FT.CONFIG": lambda reply, asked: texts(pairs(reply, asked)),
    "FT.HYBRID": hybrid_decoded,
    "FT.INFO": info_named,
    "FT.PROFILE": profiled_named,
    "FT.SYNDUMP": lambda reply, asked: texts(alternating(reply or [], asked)),
}
UNASKED: Mapping[str, Conversion] = {
    "FT.AGGREGATE": rows_map,
    "FT.ALIASLIST": aliases,
    "FT.CONFIG": map_as_sent,
    "FT.HYBRID": hybrid,
    "FT.INFO": info_map_flat,
    "FT.PROFILE": profiled_map,
    "FT.SEARCH": found_map,
    "FT.SPELLCHECK": corrections_map,
    "FT.SYNDUMP": map_texts,
}
RESP3_UNIFIED: Mapping[str, Conversion] = {
    **UNASKED,
    "FT.CONFIG": map_texts,
    "FT.HYBRID": hybrid_decoded,
    "FT.INFO": info_map,
    "FT.PROFILE": profiled_map_named,
}


def chosen(protocol: Any, legacy_responses: bool) -> Mapping[str, Conversion]:
    """The conversions for a client's `protocol` and `legacy_responses`."""
    if protocol is not None and str(protocol) == "2":
        return RESP2 if legacy_responses else RESP2_UNIFIED
    if not legacy_responses:
        return RESP3_UNIFIED
    return UNASKED if protocol is None else RESP3
