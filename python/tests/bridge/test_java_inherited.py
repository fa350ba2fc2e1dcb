"""Members as Java's compiler sees them: by type arguments, and through classes that are not public."""

from __future__ import annotations

import pytest
from samewire import bridge


def test_methods_of_the_compilers_own_are_none(gateway: bridge.Gateway) -> None:
    of = gateway.tested.Inherited
    for users in (of.Users(), of.Admins(), of.repository()):
        assert users.find(5) == "user 5"
        assert users.save(5) == "saved user 5"
        assert users.find(2**40) == f"user {2**40}"
        with pytest.raises(bridge.NoOverload):
            users.find("5")
    assert of.Users.find.__doc__ == "String find(Long)"
    sink = of.Sink()
    sink.accept(5)
    assert (sink.last, sink.compareTo(4)) == (5, 1)


def test_a_class_that_is_not_public_has_the_methods_of_its_interfaces(gateway: bridge.Gateway) -> None:
    sink = gateway.tested.Inherited.hiddenSink()
    sink.accept(2**40)
    assert str(sink) == f"last {2**40}"
    assert gateway.java.util.Comparator.naturalOrder().compare("a", "b") < 0


def test_public_members_of_classes_that_are_not_public(gateway: bridge.Gateway) -> None:
    of = gateway.tested.Inherited.Public
    assert (of.make(), of.count, of.LIMIT) == ("made", 3, 7)
    one = of()
    assert (one.open(), one.closed(), one.said(), one.field) == ("open", "closed", "default", 5)
    assert (one.take("a"), one.take(1)) == ("String", "Object")
    one.field = 6
    assert one.field == 6
    of.count = 4
    assert of.count == 4
    for _ in range(1000):  # code of its own
        assert (one.closed(), of.make()) == ("closed", "made")
    assert {"make", "count", "LIMIT", "field", "closed", "said"} <= set(dir(of))
    assert gateway.java.lang.StringBuilder("a").append(1).append("b").toString() == "a1b"


def test_members_of_objects_that_nobody_may_name_stay_closed(gateway: bridge.Gateway) -> None:
    hidden = gateway.tested.Inherited.hidden()
    for name in ("own", "open", "closed", "field"):
        with pytest.raises(AttributeError):
            getattr(hidden, name)
