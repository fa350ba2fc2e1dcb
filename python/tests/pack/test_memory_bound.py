"""No message makes a reader take more than a gigabyte under the default limits (spec/pack.md section 8, Cells)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import pytest
from samewire import pack

#: A gigabyte for as many cells as the default limit allows.
BYTES_A_CELL = (1 << 30) / pack.Limits().cells
FEW_CELLS = 1 << 18
#: Memory taken once by the first value of some types (modules, caches), and rounding to pages.
ONCE = 1 << 20


def measured(cells: int, *names: str) -> dict[str, float]:
    """Bytes a cell by shape, the worst last."""
    command = [sys.executable, str(Path(__file__).with_name("memory_shapes.py")), str(cells), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return dict(sorted(figures.items(), key=lambda item: item[1]))


@pytest.mark.hard
def test_the_worst_shape_stays_within_a_gigabyte() -> None:
    figures = measured(FEW_CELLS)
    assert len(figures) > 200
    assert {name: figure for name, figure in figures.items() if figure > BYTES_A_CELL + ONCE / FEW_CELLS} == {}
    *_, worst = figures
    assert measured(pack.Limits().cells, worst)[worst] < BYTES_A_CELL


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        (list[bool], 4),
        (deque[bool], 14),
        (Annotated[memoryview, pack.F64], 6),
        (npt.NDArray[np.float64], 9),
    ],
)
def test_classes_that_take_more_memory_count_more_cells(kind: Any, cells: int) -> None:
    message = pack.codec(list[bool], check=False).encode([])
    assert len(pack.codec(kind, limits=pack.Limits(cells=cells)).decode(message)) == 0
    for fewer in range(1, cells):
        own = pack.codec(kind, limits=pack.Limits(cells=fewer))
        for reader in (own, own.resolve(own.schema)):
            with pytest.raises(pack.SamewireError) as caught:
                reader.decode(message)
            assert (caught.value.code, caught.value.at, caught.value.path) == ("limit_items", 1, "$")


def test_numbers_that_are_widened_count_the_cells_of_the_readers_class() -> None:
    message = pack.codec(list[Annotated[int, pack.I8]]).encode([])
    for cells, fits in ((8, False), (9, True)):
        decoder = pack.codec(npt.NDArray[np.int64], limits=pack.Limits(cells=cells)).resolve("list<i8>")
        if fits:
            assert decoder.decode(message).size == 0
            continue
        with pytest.raises(pack.SamewireError) as caught:
            decoder.decode(message)
        assert (caught.value.code, caught.value.path) == ("limit_items", "$")
