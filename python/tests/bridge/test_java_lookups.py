"""Look-ups by number and by letter: indexing takes what iteration gives, for all of Java's classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from samewire import bridge

NUMBERS = ("Byte", "Short", "Integer", "Long", "Float", "Double", "BigInteger", "sorted Long", "sorted Short")


@pytest.fixture(params=NUMBERS)
def kept(request: pytest.FixtureRequest, gateway: bridge.Gateway) -> Any:
    """A map of one entry, 3 to "three"."""
    return gateway.tested.Inherited.maps().get(request.param)


def test_keys_that_iteration_gives_are_found(kept: Any) -> None:
    assert dict(kept) == {3: "three"} == kept.copy() == {**kept}
    assert [kept[key] for key in kept] == ["three"]
    assert (3 in kept, 3.0 in kept, 4 in kept, "3" in kept, None in kept) == (True, True, False, False, False)
    assert (kept.get(3), kept.get(4), kept.get(4, "none"), kept.get("3")) == ("three", None, "none", None)
    assert (3, "three") in kept.items()
    with pytest.raises(KeyError):
        _ = kept[4]


def test_a_key_that_is_there_is_set_and_removed(gateway: bridge.Gateway, kept: Any) -> None:
    kind = gateway.tested.Inherited.classes(kept)
    kept[3] = "III"
    kept.update({3: "drei"})
    assert kept == {3: "drei"}
    assert kept.setdefault(3, "none") == "drei"
    kept[4] = "four"
    kept.update({5: "five"})
    assert gateway.tested.Inherited.classes(kept) == " ".join([kind] * 3)
    del kept[3]
    assert (kept.pop(4), kept.pop(4, None)) == ("four", None)
    assert kept.popitem() == (5, "five")
    assert kept == {}
    with pytest.raises(KeyError):
        del kept[3]


def test_a_number_that_the_class_cannot_hold_is_another_key(gateway: bridge.Gateway) -> None:
    shorts = gateway.tested.Inherited.maps().get("Short")
    shorts[100_000] = "more"
    assert shorts[100_000] == "more"
    longs = gateway.tested.Inherited.maps().get("Long")
    longs[2**40] = "far"
    assert (longs[2**40], 2**80 in longs, 2.0**63 in longs, 0.5 in longs) == ("far", False, False, False)
    longs[2**63 - 1] = "last"
    assert (2.0**63 in longs, 2**63 - 1 in longs) == (False, True)


def test_letters_are_found(gateway: bridge.Gateway) -> None:
    letters = gateway.tested.Inherited.letters()
    assert dict(letters) == {"a": 1, "b": 2}
    letters["a"] = 3
    letters["c"] = 4
    assert gateway.tested.Inherited.classes(letters) == "Character Character Character"
    assert ("ab" in letters, letters.get("ab")) == (False, None)


def test_zeros_are_one_key(gateway: bridge.Gateway) -> None:
    zeros = gateway.java.util.HashMap({-0.0: "zero"})
    assert (zeros[0], zeros[0.0]) == ("zero", "zero")


def test_sets_hold_a_number_once(gateway: bridge.Gateway) -> None:
    util = gateway.java.util
    longs = util.stream.LongStream.of(1, 2).boxed().collect(util.stream.Collectors.toSet())
    assert (longs.add(1), longs.add(3)) == (False, True)
    longs.update([2, 4])
    assert longs == {1, 2, 3, 4}
    assert longs.remove(1) is True
    longs.discard(2)
    assert longs == {3, 4}
    assert util.TreeSet(longs) == {3, 4}


def test_lists_find_and_remove_by_value(gateway: bridge.Gateway) -> None:
    numbers = gateway.java.util.ArrayList([5, 1, 5])
    assert numbers.remove(1) is True
    assert numbers == [5, 5]
    numbers.remove(5)
    assert numbers == [5]
    with pytest.raises(ValueError, match="7 is not in the list"):
        numbers.remove(7)
    longs = gateway.java.util.ArrayList(gateway.java.util.stream.LongStream.of(1, 2).boxed().toList())
    assert (longs.index(2), 2 in longs) == (1, True)
    longs.remove(1)
    assert longs == [2]


def test_a_policy_holds_for_look_ups(classes: Any) -> None:
    with bridge.launch(classes, policy=bridge.Policy(deny=["java.util.Map#put", "java.util.Collection#remove"])) as gateway:
        held = gateway.java.util.HashMap({1: 2})
        assert held[1] == 2
        changes: tuple[Callable[[], Any], ...] = (
            lambda: held.update({3: 4}),
            lambda: held.__setitem__(1, 2),
            lambda: held.keys().discard(1),
        )
        for change in changes:
            with pytest.raises(bridge.JavaError, match="the gateway's policy denies"):
                change()
