"""Limits: the defaults of spec/limits.md, and the values that are refused."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest
from samewire import pack
from samewire.errors import SamewireError
from samewire.limits import Limits

SPEC = Path(__file__).parents[3] / "spec" / "limits.md"
NAMES = [field.name for field in dataclasses.fields(Limits)]


def test_defaults_are_those_of_the_specification() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+)", SPEC.read_text("utf-8"), re.MULTILINE)
    given = {name: int(number.replace(",", "")) for name, number in rows if name in NAMES}
    assert given
    assert given.items() <= dataclasses.asdict(Limits()).items()
    assert pack.Limits is Limits


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0, -1, 2**32, True, 1.5, "1", None])
def test_rejects_a_value_out_of_range(name: str, value: Any) -> None:
    with pytest.raises(SamewireError, match=f"limit {name} is .*expected 1 to 4294967295") as caught:
        Limits(**{name: value})
    assert caught.value.code == "misuse"


@pytest.mark.parametrize("name", NAMES)
def test_accepts_both_ends_of_the_range(name: str) -> None:
    for value in (1, 2**32 - 1):
        assert getattr(Limits(**{name: value}), name) == value
