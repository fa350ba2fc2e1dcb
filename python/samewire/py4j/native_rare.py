"""The rarer operations of the native dialect: fields, listings, help, lists, arrays. What fails here is asked again as text,
unless a program's code has run.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from samewire._native import Object, StaticMethod
from samewire.errors import SamewireError

from . import hooks
from .constants import ERROR_ON_RECEIVE
from .errors import Py4JError, Py4JJavaError, Py4JNetworkError
from .native_member import Thrown
from .outcome import Outcome
from .protocol import get_return_value
from .text import CLASS, METHOD, NONE, VALUE, TextDialect

if TYPE_CHECKING:
    from collections.abc import Callable

    from samewire.bridge import Gateway

#: The classes of Java's half.
OPERATIONS = "io.samewire.py4j.NativeOperations"
_ELEMENTS = "io.samewire.py4j.Elements"

#: What the operations raise. A text command that follows fails with Py4J's words, or succeeds by its rules.
_FAILED = (SamewireError, Thrown, AttributeError)

_KINDS = {"field": VALUE, "method": METHOD, "class": CLASS}


class RareOperations(TextDialect, ABC):
    """What proxies do seldom, over a session of the bridge."""

    _session: Any
    _gateway: Gateway

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self._operations: dict[tuple[str, str, str], Any] = {}
        self._fields: dict[tuple[type, str], bool] = {}
        self._kinds: dict[tuple[str, str], str] = {}

    @abstractmethod
    def arguments(self, args: Any) -> Any:
        """Returns arguments as they cross."""

    @abstractmethod
    def not_begun(self, error: Exception) -> bool:
        """Returns whether the bridge has refused an operation before it called anything, so that text may be tried."""

    def operation(self, name: str, owner: str = OPERATIONS, result: str = "") -> Any:
        """Returns a static method of Java's half."""
        key = (owner, name, result)
        found = self._operations.get(key)
        if found is None:
            found = StaticMethod(self._session, owner, name)
            if result:
                found = found.returning(result)
            self._operations[key] = found
        return found

    def _elements(self, name: str, *args: Any) -> Any:
        return self.operation(name, _ELEMENTS, "object")(*args)

    def _asked(self, target: Any, asked: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """Returns what an operation on an object does, which is asked as text if the object came so, or the operation fails."""
        # Text goes outside the handlers, here and below: what it raises has no context, as Py4J's errors have none.
        failed = not isinstance(target, Object)
        if not failed:
            try:
                value = asked()
            except _FAILED:
                failed = True
        if failed:
            return otherwise()
        replaced = hooks.java_gateway.get_return_value
        return value if replaced is get_return_value else replaced(Outcome(value), self._client, None, None)

    # --- fields ------------------------------------------------------------------------------------------------

    def _has_field(self, java_object: Any, name: str) -> bool:
        key = (type(java_object), name)
        known = self._fields.get(key)
        if known is None:
            known = self._fields[key] = self.operation("hasField")(java_object, name)
        return known

    def find_field(self, java_object: Any, name: str) -> tuple[bool, Any]:
        """Returns whether an object has a field, and its value."""
        if isinstance(java_object, Object):
            try:
                found = self._has_field(java_object, name)
            except _FAILED:
                pass
            else:
                return (True, self.get_field(java_object, name)) if found else (False, None)
        return super().find_field(java_object, name)

    def get_field(self, java_object: Any, name: str) -> Any:
        """Returns the value of a field."""
        otherwise = super().get_field
        return self._asked(java_object, lambda: self.operation("field")(java_object, name), lambda: otherwise(java_object, name))

    def set_field(self, java_object: Any, name: str, value: Any) -> Any:
        """Sets a field."""
        otherwise = super().set_field
        return self._asked(
            java_object,
            lambda: self.operation("setField")(java_object, name, *self.arguments((value,))),
            lambda: otherwise(java_object, name, value),
        )

    def member(self, java_class: Any, name: str) -> tuple[str, Any]:
        """Returns what a class's static member is: METHOD, CLASS, VALUE and a field's value, or NONE."""
        key = (java_class._fqn, name)
        try:
            kind = self._kinds.get(key)
            if kind is None:
                kind = _KINDS.get(self.operation("memberKind")(*key), NONE)
            value = self.operation("staticField")(*key) if kind == VALUE else None
        except _FAILED:
            kind = ""
        if not kind:
            return super().member(java_class, name)
        if kind == VALUE:
            self._kinds[key] = kind
            replaced = hooks.java_gateway.get_return_value
            if replaced is not get_return_value:
                value = replaced(Outcome(value), self._client, None, None)
        return (kind, value)

    # --- listings and help -------------------------------------------------------------------------------------

    def dir_fields(self, java_object: Any) -> list[str]:
        """Returns the names of an object's fields."""
        otherwise = super().dir_fields
        found: list[str] = self._asked(java_object, lambda: self._names("fields", java_object), lambda: otherwise(java_object))
        return found

    def dir_methods(self, java_object: Any) -> list[str]:
        """Returns the names of an object's methods."""
        otherwise = super().dir_methods
        found: list[str] = self._asked(java_object, lambda: self._names("methods", java_object), lambda: otherwise(java_object))
        return found

    def dir_static(self, java_class: Any) -> list[str]:
        """Returns the names of a class's static members."""
        try:
            return self._names("staticDir", java_class._fqn)
        except _FAILED:
            pass
        return super().dir_static(java_class)

    def _names(self, operation: str, target: Any) -> list[str]:
        # Py4J's text has an empty name where there are none.
        return [*self.operation(operation, result="value")(target)] or [""]

    def help_object(self, java_object: Any, pattern: str | None, short_name: bool) -> Any:
        """Returns the help page of an object."""
        otherwise = super().help_object
        return self._asked(
            java_object,
            lambda: self.operation("help")(java_object, pattern, short_name),
            lambda: otherwise(java_object, pattern, short_name),
        )

    # --- lists and arrays --------------------------------------------------------------------------------------

    def _of_list(self, java_list: Any, asked: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """Returns what an operation gives that calls a program's code: as text only if it has not begun."""
        if not isinstance(java_list, Object):
            return otherwise()
        return_value = hooks.java_collections.get_return_value
        try:
            value = asked()
        except (AttributeError, Thrown, SamewireError) as error:
            failed = error
        else:
            return value if return_value is get_return_value else return_value(Outcome(value), self._client, None, None)
        try:
            # An argument that cannot cross is an AttributeError.
            if isinstance(failed, AttributeError) or self.not_begun(failed):
                return otherwise()
            return return_value(Outcome(error=self._failed(failed)), self._client, None, None)
        finally:
            del failed  # its traceback holds this frame

    def _failed(self, error: Thrown | SamewireError) -> Py4JError:
        """Returns the error of a command that has run and failed, which names nothing that was called."""
        called = "An error occurred while calling None.None"
        if isinstance(error, Thrown):
            trace = self.stack_trace(Py4JJavaError("", error.java_exception))
            return Py4JError(f"{called}. Trace:\n{trace}\n")
        return self.unanswered(called, error)

    def unanswered(self, called: str, error: SamewireError) -> Py4JError:
        """Returns the error of a call that the bridge has no answer of: a Py4JNetworkError if the connection has ended."""
        if error.code == "closed":
            if self._gateway.closed_at_exit and threading.current_thread().daemon:
                # The interpreter ends, and this thread with it. As with Py4J it ends in a wait, and no error is
                # printed.
                threading.Event().wait()
            return Py4JNetworkError(called, error, ERROR_ON_RECEIVE)
        return Py4JError(called, error)

    def new_collection(self, kind: str, *columns: Any) -> Any:
        """Returns a new ArrayList, HashSet or HashMap of elements in one call; None if they must be added one by one."""
        try:
            # Each element of a tuple has its own class: a list of integers, some of them large, would be all long.
            return self._elements(f"new{kind}", *[tuple(self.arguments(column)) for column in columns])
        except Thrown as thrown:
            # What adding the element itself would raise: its `hashCode` or `equals` has run.
            added = "put" if kind == "Map" else "add"
            raise Py4JJavaError(f"An error occurred while calling None.{added}.\n", thrown.java_exception) from None
        except SamewireError as error:
            if self.not_begun(error):
                return None
            raise self._failed(error) from error

    def array_slice(self, array: Any, indices: Any) -> Any:
        """Returns a new array of the elements at some indices."""
        otherwise = super().array_slice
        return self._of_list(array, lambda: self._elements("arraySlice", array, [*indices]), lambda: otherwise(array, indices))

    def list_slice(self, java_list: Any, indices: Any) -> Any:
        """Returns a new list of the elements at some indices."""
        otherwise = super().list_slice
        return self._of_list(
            java_list, lambda: self._elements("slice", java_list, [*indices]), lambda: otherwise(java_list, indices)
        )

    def list_concatenate(self, java_list: Any, other: Any) -> Any:
        """Returns a new list of the elements of two."""
        otherwise = super().list_concatenate
        return self._of_list(
            java_list,
            lambda: self._elements("concatenated", java_list, *self.arguments((other,))),
            lambda: otherwise(java_list, other),
        )

    def list_multiply(self, java_list: Any, times: Any) -> Any:
        """Returns a new list that repeats the elements."""
        otherwise = super().list_multiply
        return self._of_list(java_list, lambda: self._elements("repeated", java_list, times), lambda: otherwise(java_list, times))

    def list_count(self, java_list: Any, value: Any) -> Any:
        """Returns how often a list has a value."""
        otherwise = super().list_count
        return self._of_list(
            java_list,
            lambda: self.operation("count", _ELEMENTS)(java_list, *self.arguments((value,))),
            lambda: otherwise(java_list, value),
        )

    def list_sort(self, java_list: Any) -> None:
        """Sorts a list in place."""
        self._order("sort", java_list, super().list_sort)

    def list_reverse(self, java_list: Any) -> None:
        """Reverses a list in place."""
        self._order("reverse", java_list, super().list_reverse)

    def list_multiply_in_place(self, java_list: Any, times: Any) -> None:
        """Repeats the elements of a list."""
        self._order("repeat", java_list, super().list_multiply_in_place, times)

    def _order(self, operation: str, java_list: Any, otherwise: Callable[..., None], *args: Any) -> None:
        if not isinstance(java_list, Object):
            otherwise(java_list, *args)
            return
        try:
            self.operation(operation, _ELEMENTS)(java_list, *args)
        except Thrown:
            return  # as in `_order_list`: a list that cannot be sorted stays as it is
        except SamewireError as error:
            if self.not_begun(error):
                otherwise(java_list, *args)
