"""Methods of classes and of objects that arrived over the bridge: a call goes to the bridge without a step between."""

from __future__ import annotations

from types import MethodType
from typing import TYPE_CHECKING, Any

from samewire.errors import SamewireError

from . import hooks
from .arguments import ByClass, converted, detach
from .member import JavaMember
from .outcome import Outcome
from .protocol import get_return_value

if TYPE_CHECKING:
    from collections.abc import Callable


class Thrown(Exception):
    """Java threw an exception. It becomes a Py4JJavaError where it is known what was called."""

    def __init__(self, java_exception: Any) -> None:
        super().__init__(java_exception)
        self.java_exception = java_exception


class NativeMember(JavaMember):
    """A method. What all of a session's have in common are attributes of a class, which `member_class` makes.

    called: the bridge's, with the receiver if there is one.
    """

    _dialect: Any
    _session: Any
    _gateway_doc = None
    _header = None

    def __init__(self, name: str, container: Any, called: Any, target_id: str | None = None) -> None:
        self.name = name
        self.container = container
        self._called = called
        self._target_id = target_id

    def __call__(self, *args: Any) -> Any:
        """Calls the method where `caller` has not: with converters that must be asked, or arguments that do not cross as they are."""
        if self._session.closed:
            return super().__call__(*args)
        made = None
        if self.converters:
            args, made = converted(args, self.converters, self.gateway_client)
        # Text, which may follow, takes arguments as they were.
        crossing = self._dialect.arguments(args)
        failed: Any = None
        try:
            value = self._called(*crossing)
        except (Thrown, SamewireError) as error:
            failed = error
        finally:
            if made:
                detach(made)
        return self._outcome(value) if failed is None else self._failed(args, failed)

    def _outcome(self, value: Any) -> Any:
        replaced = hooks.java_gateway.get_return_value
        return value if replaced is get_return_value else replaced(Outcome(value), self.gateway_client, None, None)

    def _failed(self, args: Any, failed: Any) -> Any:
        # Outside the handler of the error: what is raised now has no context, as Py4J's errors have none.
        try:
            return self._dialect.not_returned(self, args, failed)
        finally:
            del failed  # its traceback holds this frame


class ObjectMethod:
    """A method as an attribute of the class of an object's class: it is found without `__getattr__`.

    It is not a data descriptor: an attribute that a program sets on an object is found before it.
    """

    def __init__(self, name: str, called: Any, member: type[NativeMember]) -> None:
        self._name = name
        self._called = called
        self._member = member

    def __get__(self, instance: Any, owner: Any = None) -> NativeMember:
        if instance is None:
            raise AttributeError(self._name)
        return self._member(self._name, instance, MethodType(self._called, instance))


def caller(session: Any, client: Any, direct: set[type], by_class: ByClass) -> Callable[..., Any]:
    """Returns `__call__` of a session's members: with plain arguments and objects a call is the bridge's, and little else.

    The session is a variable of the function, not an attribute: a tenth of a call is the difference.
    """

    def call(member: NativeMember, *args: Any) -> Any:
        converters = member.converters
        if session.closed or (converters and converters != by_class and not by_class.learn(converters)):
            return NativeMember.__call__(member, *args)
        for arg in args:
            if type(arg) not in direct:
                return NativeMember.__call__(member, *args)
        try:
            value = member._called(*args)
        except (Thrown, SamewireError) as error:
            failed = error
        else:
            replaced = hooks.java_gateway.get_return_value
            return value if replaced is get_return_value else replaced(Outcome(value), client, None, None)
        try:
            return member._failed(args, failed)
        finally:
            del failed  # as in `_failed`

    return call


def member_class(dialect: Any, client: Any, session: Any, direct: set[type]) -> type[NativeMember]:
    """Returns the class of a session's members.

    direct: the classes of arguments that cross as they are. Classes of Java's objects are added as they are met.
    """
    names = {
        "__call__": caller(session, client, direct, ByClass()),
        "_dialect": dialect,
        "_session": session,
        "gateway_client": client,
        "pool": client.gateway_property.pool,
        "converters": client.converters,
        "__module__": JavaMember.__module__,
        # As in `arrived.class_for`.
        "__doc__": vars(JavaMember)["__doc__"],
    }
    return type("JavaMember", (NativeMember,), names)
