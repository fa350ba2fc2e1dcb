"""SamewireError: what it carries, and what its text says."""

from __future__ import annotations

import copy
import pickle

import pytest
from samewire import pack
from samewire.errors import SamewireError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (SamewireError("misuse"), "misuse"),
        (SamewireError("misuse", text="why"), "misuse: why"),
        (SamewireError("truncated", 3), "truncated at byte 3"),
        (SamewireError("trailing", 7, "$", "two more bytes"), "trailing at byte 7 ($): two more bytes"),
        (SamewireError("type_mismatch", None, "$.a[3]", "expected int"), "type_mismatch ($.a[3]): expected int"),
    ],
)
def test_text_has_code_offset_and_path(error: SamewireError, text: str) -> None:
    assert str(error) == text


@pytest.mark.parametrize("carry", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_survives_copy_and_pickle(carry: object) -> None:
    assert callable(carry)
    other = carry(SamewireError("trailing", 7, "$", "two more bytes"))
    assert (type(other), other.code, other.at, other.path, other.text) == (SamewireError, "trailing", 7, "$", "two more bytes")


def test_pack_raises_the_same_class() -> None:
    assert pack.SamewireError is SamewireError
    assert SamewireError.__mro__[1] is Exception
    with pytest.raises(SamewireError) as caught:
        pack.codec(int).decode(b"")
    assert (caught.value.code, caught.value.at) == ("truncated", 0)
