"""Python's exceptions as Java objects with their causes: as arguments, and when they are raised in callbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from samewire._native import Peer
from samewire.errors import SamewireError

from .exceptions import JavaError, own_cause, raised

if TYPE_CHECKING:
    from samewire._native import Object

    from .parts import Parts

#: The most causes of a chain that cross: a chain may be cyclic.
_MOST_CAUSES = 64


def java_exception(gateway: Parts, error: BaseException) -> Object:
    """An exception as a Java object: a Java exception itself, another as a `PythonException`; with its causes.

    Costs a round trip for each exception of the chain. Passed back, the object is this exception again.
    """
    made: Object | None = None
    for one in reversed(_chain(error)):
        if isinstance(one, JavaError):
            if made is not None:
                gateway.operations.give_cause(one.java, made)
            made = one.java
        else:
            _, kind, message, trace = raised(one)
            made = gateway.operations.exception(Peer(one), kind, message, trace, made).java
    assert made is not None
    return made


def raised_with_causes(gateway: Parts, error: BaseException) -> tuple[Object | None, str, str | None, str]:
    """The throw for an exception that leaves a callback. If it has a cause, both are made in Java first."""
    if own_cause(error) is None:
        return raised(error)
    try:
        return java_exception(gateway, error), type(error).__name__, None, ""
    except (SamewireError, JavaError):
        # Java has no memory for the causes, or its policy denies them: throw the exception without them.
        return raised(error)


def _chain(error: BaseException) -> list[Any]:
    """An exception and its causes, up to the first Java exception, which has its own."""
    chain: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and len(chain) < _MOST_CAUSES and not any(one is known for known in chain):
        if isinstance(one, JavaError) and one.java is None:  # its class is denied: there is nothing to pass
            break
        chain.append(one)
        one = own_cause(one)
    return chain
