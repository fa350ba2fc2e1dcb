"""Rows of numbers as lists, `array.array`, `memoryview` and numpy arrays: one form on the wire."""

from __future__ import annotations

import array
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import pytest
from samewire import pack
from samewire.pack.names import INTEGERS

LETTERS = {
    **dict(zip(INTEGERS, "bhiqBHIQ", strict=True)),
    "f32": "f",
    "f64": "d",
}


@pytest.mark.parametrize("word", LETTERS)
@pytest.mark.parametrize("count", [0, 1, 7, 8, 15, 16, 64, 1000])
def test_arrays(word: str, count: int) -> None:
    mark = getattr(pack, word.upper())
    letter = LETTERS[word]
    numbers = array.array(letter, [i % 100 for i in range(count)])
    base = float if word.startswith("f") else int
    for profile in pack.Profile:
        data = pack.codec(list[Annotated[base, mark]], profile=profile).encode(list(numbers))  # type: ignore[valid-type]
        own = pack.codec(Annotated[array.array, mark], profile=profile)
        assert own.encode(numbers) == data
        assert own.decode(data) == numbers
        assert own.encode(list(numbers)) == data
        view = pack.codec(Annotated[memoryview, mark], profile=profile)
        assert view.encode(memoryview(numbers)) == data
        seen = view.decode(data)
        assert seen.format == letter
        assert seen.tolist() == numbers.tolist()
        typed = pack.codec(npt.NDArray[np.dtype(letter).type], profile=profile)  # type: ignore[misc]
        assert typed.encode(np.array(numbers)) == data
        back = typed.decode(data)
        assert back.dtype == np.dtype(letter)
        assert back.tolist() == numbers.tolist()
        back[:1] = 9
        strided = np.repeat(np.array(numbers), 2)[::2]
        if count > 1:
            with pytest.raises(pack.SamewireError):
                typed.encode(strided)
        anything: Any = Any
        loose = pack.codec(anything, profile=profile)
        decoded = pack.codec(anything).decode(loose.encode(numbers))
        assert decoded == (bytes(numbers) if word == "u8" else numbers)


@pytest.mark.parametrize("count", [1, 3, 4, 15, 16, 40, 200])
def test_bits_of_nan_stay(count: int) -> None:
    """Signalling ones, which a number that passes through a register does not keep, and a quiet one with a payload."""
    singles = array.array("f", np.resize(np.array([0x7F800001, 0xFFA00001, 0x7FC12345, 0x3F800000], "u4"), count).tobytes())
    doubles = array.array("d", np.resize(np.array([2047 << 52 | 1, 0xFFF4 << 48 | 1, 0x7FF8 << 48 | 5], "u8"), count).tobytes())
    whole: Any = tuple[
        Annotated[array.array, pack.F32],  # type: ignore[type-arg]
        npt.NDArray[np.float32],
        list[Annotated[memoryview, pack.F64]],
        npt.NDArray[np.float64],
        Any,
    ]
    for profile in pack.Profile:
        codec = pack.codec(whole, profile=profile)
        given = (singles, np.frombuffer(singles, "f4"), [memoryview(doubles)] * 2, np.frombuffer(doubles, "f8"), singles)
        one, two, (_, three), four, five = codec.decode(codec.encode(given))
        assert [bytes(each) for each in (one, two.data, five)] == [bytes(singles)] * 3
        assert [bytes(each) for each in (three, four.data)] == [bytes(doubles)] * 2


def test_views_are_in_place() -> None:
    own = pack.codec(tuple[Annotated[memoryview, pack.F64], memoryview])
    data = own.encode((memoryview(array.array("d", range(100))), memoryview(b"abc")))
    numbers, raw = own.decode(data)
    assert numbers.obj is data
    assert raw.obj is data
    assert numbers.readonly
    assert bytes(raw) == b"abc"
    writable = bytearray(data)
    numbers, _ = own.decode(writable)
    writable[-3:] = b"xyz"
    assert numbers[99] == 99.0


def test_wrong_arrays_are_refused() -> None:
    own = pack.codec(Annotated[array.array, pack.F64])
    for value in (array.array("f", [1]), array.array("q", [1]), np.zeros((2, 2)), b"12345678"):
        with pytest.raises(pack.SamewireError) as caught:
            own.encode(value)
        assert caught.value.code == "type_mismatch"
