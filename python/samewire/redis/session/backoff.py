"""How long to wait before the next attempt. `failures` counts from 1; times are seconds."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

DEFAULT_CAP = 0.512
DEFAULT_BASE = 0.008


class AbstractBackoff(ABC):
    """A policy of waiting."""

    def reset(self) -> None:
        """Called before the first attempt of an operation."""
        return

    @abstractmethod
    def compute(self, failures: int) -> float:
        """Seconds to wait after so many failures."""

    def longest(self, failures: int) -> float:
        """The most that `compute` may return, where chance has a part in it."""
        return self.compute(failures)


class ConstantBackoff(AbstractBackoff):
    """Always the same time."""

    def __init__(self, backoff: float) -> None:
        self._backoff = backoff

    def __hash__(self) -> int:
        return hash((self._backoff,))

    def __eq__(self, other: object) -> bool:
        return self._backoff == other._backoff if isinstance(other, ConstantBackoff) else NotImplemented

    def compute(self, failures: int) -> float:
        return self._backoff


class NoBackoff(ConstantBackoff):
    """No waiting."""

    def __init__(self) -> None:
        super().__init__(0)


class Exponential(AbstractBackoff):
    """What the policies share whose time doubles with each failure, from `base` up to `cap`."""

    def __init__(self, cap: float = DEFAULT_CAP, base: float = DEFAULT_BASE) -> None:
        self._cap = cap
        self._base = base

    def __hash__(self) -> int:
        return hash((self._base, self._cap))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._base == other._base and self._cap == other._cap

    def doubled(self, failures: int) -> float:
        """The time without jitter. The exponent has a bound: beyond it a float would overflow."""
        return min(self._cap, self._base * 2.0 ** min(failures, 1000))

    def longest(self, failures: int) -> float:
        return self.doubled(failures)


class ExponentialBackoff(Exponential):
    """Doubles with each failure."""

    def compute(self, failures: int) -> float:
        return self.doubled(failures)


class FullJitterBackoff(Exponential):
    """Anything between nothing and the doubled time."""

    def compute(self, failures: int) -> float:
        return random.uniform(0, self.doubled(failures))


class EqualJitterBackoff(Exponential):
    """Half of the doubled time, and anything up to the other half."""

    def compute(self, failures: int) -> float:
        half = self.doubled(failures) / 2
        return half + random.uniform(0, half)


class DecorrelatedJitterBackoff(Exponential):
    """Anything between the base and three times the last time."""

    def __init__(self, cap: float = DEFAULT_CAP, base: float = DEFAULT_BASE) -> None:
        super().__init__(cap, base)
        self._previous_backoff: float = 0

    def reset(self) -> None:
        self._previous_backoff = 0

    def compute(self, failures: int) -> float:
        if failures <= 1:
            # A new row of attempts, also where callers share the policy and nobody resets it.
            self._previous_backoff = 0
        self._previous_backoff = min(self._cap, random.uniform(self._base, max(self._base, self._previous_backoff * 3)))
        return self._previous_backoff


class ExponentialWithJitterBackoff(Exponential):
    """The doubled time before the cap, times anything up to 1."""

    def compute(self, failures: int) -> float:
        return min(self._cap, random.random() * self._base * 2.0 ** min(failures, 1000))


def default_backoff() -> AbstractBackoff:
    """The policy where none is given."""
    return EqualJitterBackoff()
