"""Options that are one of a few words, under redis-py's names."""

from __future__ import annotations

from enum import Enum


class DataPersistOptions(Enum):
    """Whether MSETEX writes only if none (NX) or all (XX) of its keys exist."""

    NX = "NX"
    XX = "XX"


class HashDataPersistOptions(Enum):
    """Whether HSETEX writes only if none (FNX) or all (FXX) of its fields exist."""

    FNX = "FNX"
    FXX = "FXX"


class ArrayAggregateOperations(Enum):
    """What AROP makes of a range of an array."""

    SUM = "SUM"
    MIN = "MIN"
    MAX = "MAX"
    AND = "AND"
    OR = "OR"
    XOR = "XOR"
    MATCH = "MATCH"
    USED = "USED"


class ArrayPredicateType(Enum):
    """How ARGREP compares elements."""

    EXACT = "EXACT"
    MATCH = "MATCH"
    GLOB = "GLOB"
    RE = "RE"


class ArrayPredicateCombinator(Enum):
    """Whether ARGREP wants all predicates to match, or one."""

    AND = "AND"
    OR = "OR"


class HotkeysMetricsTypes(Enum):
    """What HOTKEYS counts."""

    CPU = "CPU"
    NET = "NET"
