"""The native dialect: calls use the bridge (spec/bridge.md), rare operations Py4J's text protocol.

Both use the same server: an object from the bridge gets an identifier of the text protocol when a command needs one,
and vice versa. If the bridge refuses a call before it runs, for example since the arguments fit no overload by Java's
rules, it is repeated as text, with Py4J's own rules and errors.
"""

from __future__ import annotations

import traceback
from decimal import Decimal
from types import MethodType
from typing import TYPE_CHECKING, Any

from samewire._native import Constructor, Method, Object, Peer, StaticMethod
from samewire.bridge.gateway import close_at_exit, leave_at_exit
from samewire.errors import SamewireError

from . import hooks
from .arrived import class_for
from .constants import ENTRY_POINT_OBJECT_ID, GATEWAY_SERVER_OBJECT_ID, STATIC_PREFIX
from .errors import Py4JError, Py4JJavaError
from .java_object import JavaObject
from .native_member import NativeMember, Thrown, member_class
from .native_rare import RareOperations
from .outcome import Outcome
from .protocol import get_return_value, is_python_proxy
from .spark_calls import CONSTANTS, POSTPONED

if TYPE_CHECKING:
    from samewire._native import ClassInfo
    from samewire.bridge import Gateway

#: Types of arguments that cross as they are.
_PLAIN = frozenset((type(None), bool, int, float, str, bytes, bytearray))

#: Classes of values that cross as values, with those that extend them.
_VALUES = (bool, int, float, str, bytes, bytearray, Decimal)

#: The range of Py4J's integers.
_LEAST, _MOST = -(2**63), 2**63 - 1

#: The codes of errors that the bridge raises before it calls anything.
_NOT_CALLED = frozenset(("misuse", "type_mismatch", "unsupported"))

#: In a class's description, the flag of static members, and `what` of methods.
_STATIC, _METHOD = 1, 1


class NativeDialect(RareOperations):
    """The operations of proxies, over a session of the bridge.

    gateway: the bridge's, which this dialect owns. server_id: Java's id of the server.
    """

    makes_collections = True

    def __init__(self, client: Any, gateway: Gateway, server_id: int) -> None:
        super().__init__(client)
        self._gateway = gateway
        self._values = gateway.values
        self._session = session = gateway.session
        self._server_id = server_id
        self._direct: set[type] = set(_PLAIN)
        self.member_class = member_class(self, client, session, self._direct)
        self._infos: dict[str, ClassInfo] = {}
        self._constructors: dict[str, Any] = {}
        self._server: Any = None
        # Exit handlers that the program registered before its first call may still make calls: the client closes the
        # session after them.
        leave_at_exit(gateway)
        session.on_class = self._on_class
        session.on_throw = self._on_throw
        session.on_raise = self._on_raise
        session.convert = self._convert

    @property
    def usable(self) -> bool:
        """Whether the session is open, and was opened by this process."""
        return not self._session.closed

    def close(self) -> None:
        """Ends the session. Its objects cannot be used any more."""
        self._gateway.close()

    def close_at_exit(self) -> None:
        """Ends the session at the interpreter's exit. Waiting calls of daemon threads are not ended."""
        close_at_exit(self._gateway)

    def statistics(self) -> dict[str, Any]:
        """Returns counts of the session, of Java's side under "java"."""
        return self._gateway.statistics()

    # --- calls -------------------------------------------------------------------------------------------------

    def static_member(self, fqn: str, name: str) -> NativeMember:
        """Returns a static method of a class."""
        called = StaticMethod(self._session, fqn, name)
        if name in POSTPONED.get(fqn, ()):
            called = called.postponed()
        return self.member_class(name, None, called, STATIC_PREFIX + fqn)

    def object_member(self, name: str, container: Any) -> NativeMember:
        """Returns a method of an object that arrived over the bridge."""
        return self.member_class(name, container, MethodType(container._callable(name), container))

    def call(self, member: Any, args: Any) -> Any:
        """Calls a method of a proxy that came by the text protocol, and returns its result or raises its exception."""
        container = member.container
        try:
            if container is None:
                called: Any = StaticMethod(self._session, member.target_id[len(STATIC_PREFIX) :], member.name)
            else:
                receiver: Any = container if isinstance(container, Object) else self._reference(container)
                called = MethodType(receiver._callable(member.name), receiver)
            value = called(*self.arguments(args))
        except (Thrown, SamewireError) as error:
            failed = error
        else:
            return self._returned(value)
        # Raised outside of the handlers, here and below, so that the error has no context, as in Py4J.
        try:
            return self.not_returned(member, args, failed)
        finally:
            del failed  # its traceback holds this frame

    def _returned(self, value: Any) -> Any:
        replaced = hooks.java_gateway.get_return_value
        return value if replaced is get_return_value else replaced(Outcome(value), self._client, None, None)

    def not_returned(self, member: Any, args: Any, error: Thrown | SamewireError) -> Any:
        """Raises Py4J's error for a failed call; repeats the call as text if the bridge has not called anything."""
        if isinstance(error, Thrown):
            return self._fail(Py4JJavaError(f"{_called(member)}.\n", error.java_exception))
        if self.not_begun(error):
            return super().call(member, args)
        called = f"An error occurred while calling {self._name_of(member.container)}.{member.name}"
        return self._fail(self.unanswered(called, error))

    def not_begun(self, error: Exception) -> bool:
        """Returns whether the bridge has refused an operation before it called anything, so that text may be tried."""
        return isinstance(error, SamewireError) and error.code in _NOT_CALLED and self.usable

    def next_of(self, iterator: Any) -> Any:
        """Returns the next element of an iterator. Raises StopIteration, or Py4JError, if there is none."""
        try:
            value = iterator._callable("next")(iterator)
        except (Thrown, SamewireError) as error:
            # The error's text names the object, which takes a round trip. It is skipped if the error is not shown.
            if hooks.java_gateway.get_return_value is get_return_value:
                raise StopIteration from None
            failed = error
        else:
            return self._returned(value)
        try:
            return self.not_returned(iterator._member("next"), (), failed)
        finally:
            del failed

    def construct(self, java_class: Any, args: Any) -> Any:
        """Returns a new object of a class."""
        name = java_class._fqn
        crossing = self.arguments(args)  # a following call as text needs the originals
        constructor = self._constructors.get(name)
        if constructor is None:
            constructor = self._constructors[name] = Constructor(self._session, name)
        try:
            value = constructor(*crossing)
        except (Thrown, SamewireError) as error:
            failed = error
        else:
            return self._returned(value)
        try:
            if isinstance(failed, Thrown):
                return self._fail(Py4JJavaError(f"An error occurred while calling None.{name}.\n", failed.java_exception))
            if self.not_begun(failed):
                return super().construct(java_class, args)
            return self._fail(self.unanswered(f"An error occurred while calling None.{name}", failed))
        finally:
            del failed

    def _fail(self, error: Py4JError) -> Any:
        """Raises an error through `get_return_value`, which the program may have replaced."""
        outcome = Outcome(error=error)
        del error  # as in `Outcome.deliver`
        return hooks.java_gateway.get_return_value(outcome, self._client, None, None)

    def _name_of(self, container: Any) -> str | None:
        """Returns an identifier for a text, without a call of Java."""
        if container is None:
            return None
        return container.__dict__.get("_bound_id") or f"o{getattr(container, '__java_number__', '')}"

    # --- arrays ------------------------------------------------------------------------------------------------

    def new_array(self, fqn: str, dimensions: Any) -> Any:
        """Returns a new array of a class, of the lengths given."""
        try:
            return self._gateway.operations.new_array(fqn, [*dimensions])
        except (SamewireError, Thrown):
            pass  # as text it is refused with Py4J's words
        return super().new_array(fqn, dimensions)

    def array_length(self, array: Any) -> Any:
        """Returns the length of an array."""
        return self._gateway.operations.array_length(array) if isinstance(array, Object) else super().array_length(array)

    def array_get(self, array: Any, index: int) -> Any:
        """Returns an element of an array."""
        return self._gateway.operations.array_get(array, index) if isinstance(array, Object) else super().array_get(array, index)

    def array_set(self, array: Any, index: int, value: Any) -> Any:
        """Sets an element of an array."""
        if isinstance(array, Object):
            try:
                self._gateway.operations.array_set(array, index, self._argument(value))
                return None
            except (SamewireError, Thrown):
                pass  # as text it is refused with Py4J's words, or converted by its rules
        return super().array_set(array, index, value)

    # --- what crosses ------------------------------------------------------------------------------------------

    def arguments(self, args: Any) -> Any:
        """Converts arguments for the bridge. Raises Py4J's error for one that cannot be converted."""
        for arg in args:
            if type(arg) not in self._direct:
                return [self._argument(arg) for arg in args]
        return args

    def _argument(self, value: Any) -> Any:
        """Converts an argument for the bridge. Raises Py4J's error if it cannot be converted."""
        if isinstance(value, (Object, str, bytes, bytearray, int, float)) or value is None:
            return value
        return self._convert(value)

    def _convert(self, value: Any) -> Any:
        if isinstance(value, JavaObject):
            return self._reference(value)
        if isinstance(value, int) and not _LEAST <= value <= _MOST:
            raise SamewireError("type_mismatch", text="Py4J has no integers of more than 64 bits")
        if isinstance(value, _VALUES):
            return self._values.convert(value)
        if is_python_proxy(value):
            return Peer(value, tuple(value.Java.implements))
        return self._named(value._get_object_id())

    def _reference(self, java_object: Any) -> Any:
        """Returns the bridge's object for one from the text protocol."""
        session, found = java_object.__dict__.get("_native", (None, None))
        if session is not self._session:
            found = self._named(java_object._target_id)
            java_object._native = (self._session, found)
        return found

    def _named(self, target_id: str) -> Any:
        """Returns the object that has an identifier of the text protocol."""
        if target_id == ENTRY_POINT_OBJECT_ID:
            found = self.operation("entryPoint")(self._server_id)
        elif target_id == GATEWAY_SERVER_OBJECT_ID:
            found = self._java_server()
        else:
            self._client.flush_garbage()  # this object may be among those whose release was not sent yet
            found = self._text_gateway()._callable("getObject")(self._text_gateway(), target_id)
        if not isinstance(found, Object):
            raise SamewireError("misuse", text=f"there is no object {target_id}")
        return found

    def _java_server(self) -> Any:
        return self.operation("gateway")(self._server_id)

    def _text_gateway(self) -> Any:
        """Returns Java's `py4j.Gateway`, which knows the identifiers of the text protocol."""
        if self._server is None:
            server = self._java_server()
            self._server = server._callable("getGateway")(server)
        return self._server

    def bind(self, java_object: Any) -> str:
        """Returns a new identifier of the text protocol for an object of the bridge's."""
        try:
            return str(self._text_gateway()._callable("putNewObject")(self._text_gateway(), java_object))
        except SamewireError:
            return f"gone{java_object.__java_number__}"  # with its session: Java has no object of such an identifier

    # --- hooks of the session ----------------------------------------------------------------------------------

    def _on_class(self, info: ClassInfo) -> type[Object]:
        made = class_for(self, self._client, info)
        self._direct.add(made)
        return made

    def make_callable(self, info: ClassInfo, name: str) -> Any:
        """Returns the callable for the methods of a name, which takes the receiver first."""
        found = [member for member in info.members if member[0] == _METHOD and member[2] == name]
        static = [bool(member[1] & _STATIC) for member in found]
        if found and all(static):
            called = StaticMethod(self._session, info.name, name)
            return lambda _, *args: called(*args)
        made = Method(self._session, info.name, name, any(static))
        if found and all(member[4] == "java.math.BigInteger" for member in found):
            # Py4J has no such number.
            return made.returning("object")
        constant = CONSTANTS.get((info.name, name))
        if constant is not None:
            return lambda receiver, *args: made(receiver, *args) if args else constant
        return made

    def _on_throw(self, arrived: Any, kind: str, code: str, message: str | None, trace: str) -> BaseException:
        if code:
            return SamewireError(code, text=message or "")
        if isinstance(arrived, BaseException):
            return arrived
        if arrived is None:
            return SamewireError("closed", text=f"{kind}: {message}")
        return Thrown(arrived)

    def _on_raise(self, error: BaseException) -> tuple[Object | None, str, str | None, str]:
        """What Java gets for an exception that leaves a callback: a Py4JException with the traceback."""
        parameters = getattr(self._client, "callback_parameters", None)
        java = getattr(error, "java_exception", None)
        if isinstance(error, Py4JJavaError) and getattr(parameters, "propagate_java_exceptions", False):
            thrown = java if isinstance(java, Object) else self._reference(java)
            return thrown, "java.lang.Throwable", None, ""
        trace = "".join(traceback.format_exception(error))
        text = f"An exception was raised by the Python Proxy. Return Message: {trace}"
        made = Constructor(self._session, "py4j.Py4JException")(text)
        return made, "py4j.Py4JException", None, ""


def _called(member: Any) -> str:
    return f"An error occurred while calling {member.target_id}.{member.name}"
