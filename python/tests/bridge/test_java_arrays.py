"""Java's arrays."""

from __future__ import annotations

import array
import functools
from collections.abc import Sequence

import pytest
from samewire import bridge

numpy = pytest.importorskip("numpy")


def test_arrays_are_sequences_of_fixed_length(gateway: bridge.Gateway) -> None:
    numbers = gateway.new_array(gateway.jvm.int, 5)
    assert isinstance(gateway.new_array("int", 1), Sequence)
    assert (len(numbers), numbers.length, list(numbers)) == (5, 5, [0] * 5)
    numbers[0] = 7
    numbers[-1] = 9
    numbers[1:4] = [1, 2, 3]
    assert numbers == [7, 1, 2, 3, 9]
    assert numbers[1:3] == [1, 2]
    assert numbers[::-1] == [9, 3, 2, 1, 7]
    numbers[::2] = (4, 5, 6)
    assert list(numbers) == [4, 1, 5, 3, 6]
    assert 5 in numbers
    assert numbers.index(5) == 2
    for wrong in (5, -6):
        with pytest.raises(IndexError):
            _ = numbers[wrong]
    with pytest.raises(ValueError, match="fixed"):
        numbers[0:2] = [1]


def test_arrays_of_objects_and_of_arrays(gateway: bridge.Gateway) -> None:
    names = gateway.new_array(gateway.java.lang.String, 2)
    names[:] = ["a", None]
    assert names == ["a", None]
    grid = gateway.new_array("int", 2, 3)
    grid[1][2] = 5
    assert grid.to_py() == [[0, 0, 0], [0, 0, 5]] or [list(row) for row in grid.to_py()] == [[0, 0, 0], [0, 0, 5]]
    assert gateway.java.util.Arrays.asList(names).get(0) == "a"


@pytest.mark.parametrize("kind", ["byte", "short", "int", "long", "float", "double"])
def test_numbers_cross_as_bytes(gateway: bridge.Gateway, kind: str) -> None:
    values = numpy.arange(
        100, dtype={"byte": "i1", "short": "i2", "int": "i4", "long": "i8", "float": "f4", "double": "f8"}[kind]
    )
    numbers = gateway.new_array(kind, 100)
    numbers[:] = values
    back = numpy.asarray(numbers)
    assert back.dtype == values.dtype
    assert (back == values).all()
    assert numbers.to_buffer().tolist() == values.tolist()


def test_buffers_are_arguments(gateway: bridge.Gateway) -> None:
    arrays = gateway.java.util.Arrays
    assert arrays.toString(numpy.array([1, 2], "i4")) == "[1, 2]"
    assert arrays.toString(array.array("d", [0.5])) == "[0.5]"
    assert arrays.toString(numpy.array([1, 2, 3, 4], "i8")[::2]) == "[1, 3]"
    assert arrays.toString(numpy.array([True, False])) == "[true, false]"
    assert arrays.deepToString(numpy.array([[1, 2], [3, 4]], "i4")) == "[[1, 2], [3, 4]]"
    assert gateway.java.lang.Math.max(numpy.int64(3), numpy.float64(2.5)) == 3.0


def test_an_array_has_no_view_without_a_copy(gateway: bridge.Gateway) -> None:
    with pytest.raises(ValueError, match="copy"):
        gateway.new_array("int", 1).__array__(copy=False)


def test_a_new_array_needs_a_class_and_a_length(gateway: bridge.Gateway) -> None:
    for wrong in ((5, 5), ("int",)):
        with pytest.raises(TypeError, match="new_array"):
            gateway.new_array(*wrong)


def test_what_a_list_holds_decides_between_arrays(gateway: bridge.Gateway) -> None:
    matrices = gateway.tested.Matrices
    for _ in range(2):
        assert matrices.of([1.0, 2.0]) == "row of 2"
        assert matrices.of([[1.0, 2.0], [3.0, 4.0]]) == "matrix of 2 x 2, first 1.0"
        assert matrices.of(((1, 2.5), (3, 4), (5, 6))) == "matrix of 3 x 2, first 1.0"
        assert matrices.of([[1.0, 2.0], array.array("d", [3.0, 4.0])]) == "matrix of 2 x 2, first 1.0"
        assert matrices.of(numpy.array([[1.0, 2.0, 3.0]])) == "matrix of 1 x 3, first 1.0"
        assert matrices.of(numpy.array([[1, 2], [3, 4]])) == "matrix of 2 x 2, first 1.0"
        assert matrices.of(["a", "b"]) == "names a b"
        assert matrices.of((1.0, 2.0, 3.0)) == "row of 3"
        assert matrices.of(("a",)) == "names a"
    with pytest.raises(bridge.NoOverload, match="ambiguous"):
        matrices.of([])
    with pytest.raises(bridge.NoOverload, match="ambiguous"):
        matrices.of([None])
    # A function is chosen for by its parameters. A `partial` does not say how many it takes: the error says how to.
    assert matrices.called(lambda a, b: a + b) == 3
    with pytest.raises(bridge.NoOverload, match="ambiguous") as caught:
        matrices.called(functools.partial(lambda a, b: a + b))
    assert "BiFunction" in str(caught.value) and "bridge.cast" in str(caught.value)
    assert matrices.called(gateway.implement(lambda a, b: a + b, "java.util.function.BiFunction")) == 3
