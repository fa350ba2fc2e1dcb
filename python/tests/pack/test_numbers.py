"""Numbers out of range: the error shows the number, shortened."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import pytest
from samewire import pack

F32 = Annotated[float, pack.F32]


@pytest.mark.parametrize("number", [1e300, -3.5e38, sys.float_info.max, -sys.float_info.max, 3.4028235677973366e38])
def test_floats_beyond_f32(number: float) -> None:
    cases: list[tuple[Any, Any, str]] = [(F32, number, "$"), (list[F32], [0.5] * 20 + [number], "$[20]")]
    for kind, value, path in cases:
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(kind).encode(value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", path)
        assert caught.value.text == f"{number!r} is out of range for f32 (-3.4028235e+38 to 3.4028235e+38)"
