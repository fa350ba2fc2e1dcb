"""Who holds what, and until when."""

from __future__ import annotations

import gc
import time
import weakref
from typing import Any

from adaptor import PACKAGE, Bridge, case, filled, own
from implementations import CALLBACKS, Greeter, Person

#: Seconds that collectors of both languages may take.
PATIENCE = 5.0


def alive(bridge: Bridge, expected: int) -> int:
    """How many of the watched Java objects live, once there are only so many, or patience ends."""
    kept, until = own(bridge, "Kept"), time.monotonic() + PATIENCE
    while True:
        gc.collect()
        left = int(kept.alive())
        if left <= expected or time.monotonic() > until:
            return left
        time.sleep(0.02)


def collected(bridge: Bridge, reference: weakref.ref[Any]) -> bool:
    """Whether an object of Python is collected before patience ends."""
    until = time.monotonic() + PATIENCE
    while reference() is not None and time.monotonic() < until:
        own(bridge, "Kept").collect()
        own(bridge, "Members").add(1, 1)
        gc.collect()
        time.sleep(0.02)
    return reference() is None


@case("memory: an object of Java lives as long as Python holds it")
def held(bridge: Bridge) -> None:
    kept = own(bridge, "Kept")
    kept.forget()
    made = kept.make()
    assert alive(bridge, 1) == 1
    del made


@case("memory: an object of Java that Python forgets is collected")
def forgotten(bridge: Bridge) -> None:
    kept = own(bridge, "Kept")
    kept.forget()
    made = kept.make()
    assert kept.alive() == 1
    del made
    assert alive(bridge, 0) == 0


@case("memory: an object lives while one of two references to it does")
def two_references(bridge: Bridge) -> None:
    kept = own(bridge, "Kept")
    kept.forget()
    made = kept.make()
    holder = filled(bridge, made)
    again = holder[0]
    del holder[0]
    del made, holder
    gc.collect()
    assert kept.alive() == 1
    assert len(again) == 1024
    del again
    assert alive(bridge, 0) == 0


@case("memory: five hundred temporary objects are collected")
def temporaries(bridge: Bridge) -> None:
    kept = own(bridge, "Kept")
    kept.forget()
    for _ in range(500):
        kept.make()
    assert alive(bridge, 0) == 0


@case("memory: objects in a cycle of Python are collected")
def cycle(bridge: Bridge) -> None:
    kept = own(bridge, "Kept")
    kept.forget()
    ring: list[Any] = [kept.make()]
    ring.append(ring)
    del ring
    assert alive(bridge, 0) == 0


@case("memory: an object that comes twice is one object to Java")
def same_object(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    holder = filled(bridge, members(1))
    first, second = holder[0], holder[0]
    assert members.same(first, second)
    assert first == second


@case("memory: an object that comes again is the same object to Python")
def same_proxy(bridge: Bridge) -> None:
    holder = filled(bridge, own(bridge, "Members")(1))
    first = holder[0]
    assert holder[0] is first


@case("memory: an object of Python lives as long as Java holds it")
def python_held(bridge: Bridge) -> None:
    callbacks, person = own(bridge, "Callbacks"), Person()
    reference = weakref.ref(person)
    callbacks.keep(bridge.implement(person, CALLBACKS + "Named"))
    try:
        del person
        own(bridge, "Kept").collect()
        gc.collect()
        assert reference() is not None
    finally:
        callbacks.keep(None)


@case("memory: an object of Python that Java forgets is collected")
def python_forgotten(bridge: Bridge) -> None:
    callbacks, person = own(bridge, "Callbacks"), Person()
    reference = weakref.ref(person)
    callbacks.keep(bridge.implement(person, CALLBACKS + "Named"))
    del person
    callbacks.keep(None)
    assert collected(bridge, reference)


@case("memory: an argument of one call does not outlive it")
def python_argument(bridge: Bridge) -> None:
    greeter = Greeter()
    reference = weakref.ref(greeter)
    assert own(bridge, "Outer").ask(bridge.implement(greeter, f"{PACKAGE}.Outer$Greeter"), "once") == "hello once"
    del greeter
    assert collected(bridge, reference)


@case("memory: an exception that was caught is collected with its Java exception")
def exceptions(bridge: Bridge) -> None:
    kept = own(bridge, "Kept")
    kept.forget()
    try:
        own(bridge, "Failures").state("to be forgotten")
    except bridge.error as error:
        kept.watch(bridge.throwable(error))
        assert kept.alive() == 1
    assert alive(bridge, 0) == 0


@case("memory: an object that went to Java and came back is collected once both forget it")
def round_trip(bridge: Bridge) -> None:
    kept, callbacks = own(bridge, "Kept"), own(bridge, "Callbacks")
    kept.forget()
    made = kept.make()
    callbacks.keep(made)
    back = callbacks.kept()
    del made
    callbacks.keep(None)
    gc.collect()
    assert kept.alive() == 1
    del back
    assert alive(bridge, 0) == 0
