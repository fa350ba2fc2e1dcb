"""Shared structs that first stand where the reader skips them, and refer to one another."""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("skipped_refs", "pack.md#13-resolution")
STEP = "struct Step { n: u8, before: option<ref<Step>> }"
WRITER = f"struct Path {{ all: list<ref<{STEP}>>, last: ref<Step>, some: list<ref<Step>> }}"
LAST = f"struct Path {{ last: ref<{STEP}> }}"
SOME = f"struct Path {{ some: list<ref<{STEP}>> }}"


def steps(length: int) -> list[Any]:
    """Returns shared structs in one list, each of which refers to the one before it."""
    return [{"ref": i, "value": {"n": i, "before": {"ref": i - 1} if i > 0 else None}} for i in range(length)]


def chain(first: int, last: int) -> Any:
    """Returns the same structs, each within the next one. Those before `first` have been read already."""
    value: Any = {"ref": first - 1} if first > 0 else None
    for i in range(first, last + 1):
        value = {"ref": i, "value": {"n": i, "before": value}}
    return value


def written(length: int, some: list[int]) -> Any:
    return {"all": steps(length), "last": {"ref": length - 1}, "some": [{"ref": i} for i in some]}


for profile, head in [("compact", "80"), ("fast", "80")]:
    TOPIC.resolved(f"a chain of 64 ({profile})", WRITER, LAST, written(64, []), {"last": chain(0, 63)}, profile)
    TOPIC.unreadable(
        f"a chain of 65 ({profile})",
        WRITER,
        LAST,
        head + "41 000000" + "".join(f"0001{i:02x}{i:02x}" for i in range(1, 65)) + "41 00",
        "limit_depth",
        3,
        "$.last" + ".before" * 64,
    )
    TOPIC.resolved(
        f"a chain of 65 that is wanted in two parts ({profile})",
        WRITER,
        SOME,
        written(65, [0, 64]),
        {"some": [chain(0, 0), chain(1, 64)]},
        profile,
    )
TOPIC.unreadable(
    "a chain of 65 before a byte too many",
    WRITER,
    LAST,
    "80 41 000000" + "".join(f"0001{i:02x}{i:02x}" for i in range(1, 65)) + "41 00 00",
    "limit_depth",
    3,
    "$.last" + ".before" * 64,
)
TOPIC.resolved(
    "a chain of 150 that is wanted one by one",
    WRITER,
    SOME,
    written(150, list(range(150))),
    {"some": [chain(i, i) for i in range(150)]},
)
TOPIC.unreadable(
    "a chain of 65 after a chain of 63",
    WRITER,
    SOME,
    "80 8001 000000" + "".join(f"0001{i:02x}{i:02x}" for i in range(1, 128)) + "8001 02 3f 8001",
    "limit_depth",
    3 + 4 * 63,
    "$.some[1]" + ".before" * 64,
)
# A part of a skipped struct is needed before the whole: the number of a struct is known only when it ends.
TOPIC.resolved(
    "structs of one type within each other, the middle one wanted first",
    f"struct Path {{ old: ref<{STEP}>, some: list<ref<Step>> }}",
    SOME,
    {"old": chain(0, 3), "some": [{"ref": 1}, {"ref": 3}, {"ref": 2}]},
    {"some": [chain(0, 1), chain(2, 3), {"ref": 2}]},
)
TOPIC.resolved(
    "fields in another order, a shared struct in both",
    f"struct Path {{ a: ref<{STEP}>, b: list<ref<Step>> }}",
    f"struct Path {{ b: list<ref<{STEP}>>, a: ref<Step> }}",
    {"a": chain(0, 2), "b": [{"ref": 1}, {"ref": 2}]},
    {"b": [chain(0, 1), {"ref": 2, "value": {"n": 2, "before": {"ref": 1}}}], "a": {"ref": 2}},
)

# The depth around the reference counts, and the depth around the skipped struct does not.
NEST = "struct Nest { deeper: option<Nest>, step: option<ref<Step>> }"
AROUND = f"struct Path {{ all: list<ref<{STEP}>>, nest: {NEST} }}"
WANTED = f"struct Path {{ nest: struct Nest {{ deeper: option<Nest>, step: option<ref<{STEP}>> }} }}"


def nest(depth: int, step: Any) -> Any:
    value: Any = {"deeper": None, "step": step}
    for _ in range(depth - 1):
        value = {"deeper": value, "step": None}
    return value


TOPIC.resolved(
    "a chain of 4 within 60 structs",
    AROUND,
    WANTED,
    {"all": steps(4), "nest": nest(60, {"ref": 3})},
    {"nest": nest(60, chain(0, 3))},
)
TOPIC.unreadable(
    "a chain of 5 within 60 structs",
    AROUND,
    WANTED,
    "80 05 000000 00010101 00010202 00010303 00010404" + "01" * 59 + "02 05",
    "limit_depth",
    3,
    "$.nest" + ".deeper" * 59 + ".step" + ".before" * 4,
)
HOLDER = f"struct Path {{ old: {NEST.replace('ref<Step>', f'ref<{STEP}>')}, step: ref<Step> }}"
TOPIC.resolved(
    "a struct that was skipped within 63 others",
    HOLDER,
    f"struct Path {{ step: ref<{STEP}> }}",
    {"old": nest(63, {"ref": 0, "value": {"n": 7, "before": None}}), "step": {"ref": 0}},
    {"step": {"ref": 0, "value": {"n": 7, "before": None}}},
)
# A struct that is read again counts with its full depth there, also if a part of it has been read elsewhere.
PARTS = f"struct Path {{ old: ref<{STEP}>, part: ref<Step>, nest: {NEST} }}"
SEEN = f"struct Path {{ part: ref<{STEP}>, nest: {NEST} }}"
TOPIC.resolved(
    "a chain of 4 within 60 structs, a part of it read before",
    PARTS,
    SEEN,
    {"old": chain(0, 3), "part": {"ref": 1}, "nest": nest(60, {"ref": 3})},
    {"part": chain(0, 1), "nest": nest(60, chain(2, 3))},
)
TOPIC.unreadable(
    "a chain of 4 within 62 structs, a part of it read before",
    PARTS,
    SEEN,
    "80 00010300010200010100 0000 02" + "01" * 61 + "02 04",
    "limit_depth",
    8,
    "$.nest" + ".deeper" * 61 + ".step.before.before",
)
# The path continues into fields that the reader skips.
TOPIC.unreadable(
    "a chain of 3 within 62 structs, read for one field",
    f"struct Path {{ old: ref<{STEP}>, nest: {NEST} }}",
    f"struct Path {{ nest: {NEST.replace('ref<Step>', 'ref<struct Step { n: u8 }>')} }}",
    "80 00010300010200010100 0000" + "01" * 61 + "02 04",
    "limit_depth",
    8,
    "$.nest" + ".deeper" * 61 + ".step.before.before",
)
