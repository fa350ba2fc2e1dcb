"""The text dialect: each operation is a command of Py4J's protocol."""

from __future__ import annotations

import weakref
from typing import Any

from . import constants as proto
from . import hooks
from .errors import Py4JError
from .protocol import compute_exception_message, get_command_part, get_error_message, get_return_value, is_error

#: The most names that a client remembers.
_MOST_NAMES = 100_000

#: What `resolve` and `member` say of a name.
PACKAGE, CLASS, METHOD, VALUE, NONE = "package", "class", "method", "value", "none"


class TextDialect:
    """What proxies do, as commands of one client.

    Names are resolved once. What a class's member is does not change, nor which class a name means while its view's imports stay;
    packages are remembered only by names that no class would have, as classes may still come.
    """

    #: Makes a static method of a class, given the class's name and its own. None: a JavaMember will do.
    static_member: Any = None

    #: Whether there is `new_collection`.
    makes_collections = False

    def __init__(self, client: Any) -> None:
        self._client = client
        #: Packages and classes by their view and name, static methods and inner classes by their class and name.
        self.named: dict[tuple[str, str], Any] = {}
        self.attributes: dict[tuple[str, str], Any] = {}
        #: Views, packages and classes that have a name of theirs as an attribute, and the name.
        self._placed: list[tuple[weakref.ref[Any], str]] = []

    def forget(self) -> None:
        """Drops what it knows about names: a view has new imports, or there may be another JVM."""
        self.named.clear()
        self.attributes.clear()
        placed, self._placed = self._placed, []
        for reference, name in placed:
            holder = reference()
            if holder is not None:
                vars(holder).pop(name, None)

    def keep_name(self, view_id: str, name: str, found: Any) -> None:
        """Remembers the package or class that a name means in a view."""
        if len(self.named) < _MOST_NAMES:
            self.named[view_id, name] = found

    def place(self, holder: Any, name: str, known: dict[tuple[str, str], Any], key: tuple[str, str]) -> Any:
        """Makes what is known of a name an attribute of the view, package or class that has it: then Python finds it without us.

        Returns None if it is not known any more.
        """
        found = known.get(key)
        if found is not None and len(self._placed) < _MOST_NAMES:
            vars(holder)[name] = found
            self._placed.append((weakref.ref(holder), name))
            if known.get(key) is not found:
                # Another thread has had names forgotten meanwhile.
                vars(holder).pop(name, None)
        return found

    def keep_attribute(self, fqn: str, name: str, found: Any) -> None:
        """Remembers a static method or an inner class."""
        if len(self.attributes) < _MOST_NAMES:
            self.attributes[fqn, name] = found

    # --- calls -------------------------------------------------------------------------------------------------

    def call(self, member: Any, args: Any) -> Any:
        """Calls a method, and returns its result or raises its exception."""
        pool = member.pool
        command = (
            proto.CALL_COMMAND_NAME
            + member.command_header
            + "".join([get_command_part(arg, pool) for arg in args])
            + proto.END_COMMAND_PART
        )
        client = self._client
        return hooks.java_gateway.get_return_value(client.send_command(command), client, member.target_id, member.name)

    def stream(self, member: Any, args: Any) -> Any:
        """Calls a method whose result comes as bytes; returns the guarded connection."""
        pool = member.pool
        command = (
            proto.STREAM_COMMAND_NAME
            + member.command_header
            + "".join([get_command_part(arg, pool) for arg in args])
            + proto.END_COMMAND_PART
        )
        answer, connection = self._client.send_command(command, binary=True)
        hooks.java_gateway.get_return_value(answer, self._client, member.target_id, member.name)
        return connection

    def construct(self, java_class: Any, args: Any) -> Any:
        """Returns a new object of a class."""
        pool = java_class._pool
        command = (
            proto.CONSTRUCTOR_COMMAND_NAME
            + java_class._command_header
            + "".join([get_command_part(arg, pool) for arg in args])
            + proto.END_COMMAND_PART
        )
        client = self._client
        return hooks.java_gateway.get_return_value(client.send_command(command), client, None, java_class._fqn)

    # --- fields ------------------------------------------------------------------------------------------------

    def find_field(self, java_object: Any, name: str) -> tuple[bool, Any]:
        """Returns whether an object has a field, and its value."""
        answer = self._field(java_object, proto.FIELD_GET_SUBCOMMAND_NAME, name)
        if answer == proto.NO_MEMBER_COMMAND or is_error(answer)[0]:
            return (False, None)
        return (True, hooks.java_gateway.get_return_value(answer, self._client, java_object._target_id, name))

    def get_field(self, java_object: Any, name: str) -> Any:
        """Returns the value of a field."""
        return self._field_value(java_object, name, self._field(java_object, proto.FIELD_GET_SUBCOMMAND_NAME, name))

    def set_field(self, java_object: Any, name: str, value: Any) -> Any:
        """Sets a field."""
        part = get_command_part(value, self._client.gateway_property.pool)
        return self._field_value(java_object, name, self._field(java_object, proto.FIELD_SET_SUBCOMMAND_NAME, name, part))

    def _field(self, java_object: Any, subcommand: str, name: str, value: str = "") -> Any:
        return self._client.send_command(
            f"{proto.FIELD_COMMAND_NAME}{subcommand}{java_object._target_id}\n{name}\n{value}{proto.END_COMMAND_PART}"
        )

    def _field_value(self, java_object: Any, name: str, answer: Any) -> Any:
        failed, message = get_error_message(answer)
        if failed or answer == proto.NO_MEMBER_COMMAND:
            raise Py4JError(compute_exception_message(f"no field {name} in object {java_object._target_id}", message))
        return hooks.java_gateway.get_return_value(answer, self._client, java_object._target_id, name)

    # --- names -------------------------------------------------------------------------------------------------

    def resolve(self, name: str, view_id: str) -> tuple[str, Any]:
        """Returns what a name means in a view: CLASS and its full name, PACKAGE, or NONE and a message or None."""
        answer = self._client.send_command(
            f"{proto.REFLECTION_COMMAND_NAME}{proto.REFL_GET_UNKNOWN_SUB_COMMAND_NAME}{name}\n{view_id}\n{proto.END_COMMAND_PART}"
        )
        if answer == proto.SUCCESS_PACKAGE:
            return (PACKAGE, name)
        if answer.startswith(proto.SUCCESS_CLASS):
            return (CLASS, answer[proto.CLASS_FQN_START :])
        return (NONE, get_error_message(answer)[1])

    def member(self, java_class: Any, name: str) -> tuple[str, Any]:
        """Returns what a class's static member is: METHOD, CLASS, VALUE and a field's value, or NONE."""
        fqn = java_class._fqn
        client = self._client
        answer = client.send_command(
            f"{proto.REFLECTION_COMMAND_NAME}{proto.REFL_GET_MEMBER_SUB_COMMAND_NAME}{fqn}\n{name}\n{proto.END_COMMAND_PART}"
        )
        if len(answer) <= 1 or answer[0] != proto.SUCCESS:
            return (NONE, None)
        if answer[1] == proto.METHOD_TYPE:
            return (METHOD, None)
        if answer[1] == proto.CLASS_TYPE:
            return (CLASS, None)
        return (VALUE, hooks.java_gateway.get_return_value(answer, client, fqn, name))

    def java_lang_class(self, java_class: Any) -> Any:
        """Returns the java.lang.Class of a class."""
        answer = self._client.send_command(
            proto.REFLECTION_COMMAND_NAME
            + proto.REFL_GET_JAVA_LANG_CLASS_SUB_COMMAND_NAME
            + f"{java_class._fqn}\n{proto.END_COMMAND_PART}"
        )
        if len(answer) <= 1 or answer[0] != proto.SUCCESS:
            raise Py4JError(f"{java_class._fqn} does not exist in the JVM")
        return hooks.java_gateway.get_return_value(answer, self._client, java_class._fqn, "_java_lang_class")

    def java_import(self, view: Any, escaped: str) -> Any:
        """Adds a class or a package to the imports of a view."""
        return self._ask(
            f"{proto.JVMVIEW_COMMAND_NAME}{proto.JVM_IMPORT_SUB_COMMAND_NAME}{view._id}\n{escaped}\n{proto.END_COMMAND_PART}"
        )

    def new_view(self, name: str) -> Any:
        """Returns the Java object of a new view."""
        part = get_command_part(name)
        return self._ask(proto.JVMVIEW_COMMAND_NAME + proto.JVM_CREATE_VIEW_SUB_COMMAND_NAME + part + proto.END_COMMAND_PART)

    def _ask(self, command: str, target_id: Any = None, name: Any = None) -> Any:
        client = self._client
        return hooks.java_gateway.get_return_value(client.send_command(command), client, target_id, name)

    # --- listings and help -------------------------------------------------------------------------------------

    def dir_fields(self, java_object: Any) -> list[str]:
        """Returns the names of an object's fields."""
        return self._dir(proto.DIR_FIELDS_SUBCOMMAND_NAME, java_object._target_id)

    def dir_methods(self, java_object: Any) -> list[str]:
        """Returns the names of an object's methods."""
        return self._dir(proto.DIR_METHODS_SUBCOMMAND_NAME, java_object._target_id)

    def dir_static(self, java_class: Any) -> list[str]:
        """Returns the names of a class's static members."""
        return self._dir(proto.DIR_STATIC_SUBCOMMAND_NAME, java_class._fqn)

    def _dir(self, subcommand: str, target: str) -> list[str]:
        found: str = self._ask(f"{proto.DIR_COMMAND_NAME}{subcommand}{target}\n{proto.END_COMMAND_PART}", target, "__dir__")
        return found.split("\n")

    def dir_view(self, view: Any, sequence: Any) -> list[str] | None:
        """Returns the sequence number of a view's imports and their names, None if they are those of `sequence`."""
        found = self._ask(
            proto.DIR_COMMAND_NAME
            + proto.DIR_JVMVIEW_SUBCOMMAND_NAME
            + f"{view._id}\n{get_command_part(sequence)}{proto.END_COMMAND_PART}",
            view._jvm_name,
            "__dir__",
        )
        return None if found is None else found.split("\n")

    def help_object(self, java_object: Any, pattern: str | None, short_name: bool) -> Any:
        """Returns the help page of an object."""
        return self._help(proto.HELP_OBJECT_SUBCOMMAND_NAME, java_object._get_object_id(), pattern, short_name)

    def help_class(self, java_class: Any, pattern: str | None, short_name: bool) -> Any:
        """Returns the help page of a class."""
        return self._help(proto.HELP_CLASS_SUBCOMMAND_NAME, java_class._fqn, pattern, short_name)

    def _help(self, subcommand: str, target: str, pattern: str | None, short_name: bool) -> Any:
        parts = get_command_part(pattern) + get_command_part(short_name)
        return self._ask(f"{proto.HELP_COMMAND_NAME}{subcommand}{target}\n{parts}{proto.END_COMMAND_PART}")

    def stack_trace(self, error: Any) -> Any:
        """Returns the stack trace of a Py4JJavaError's exception."""
        client = self._client
        return get_return_value(client.send_command(error.exception_cmd), client)

    # --- arrays ------------------------------------------------------------------------------------------------

    def new_array(self, fqn: str, dimensions: Any) -> Any:
        """Returns a new array of a class, of the lengths given."""
        parts = get_command_part(fqn) + "".join([get_command_part(dimension) for dimension in dimensions])
        return self._ask(proto.ARRAY_COMMAND_NAME + proto.ARRAY_CREATE_SUB_COMMAND_NAME + parts + proto.END_COMMAND_PART)

    def array_length(self, array: Any) -> Any:
        """Returns the length of an array."""
        return self._of_collection(proto.ARRAY_COMMAND_NAME + proto.ARRAY_LEN_SUB_COMMAND_NAME, array)

    def array_get(self, array: Any, index: int) -> Any:
        """Returns an element of an array."""
        part = get_command_part(index)
        return self._of_collection(proto.ARRAY_COMMAND_NAME + proto.ARRAY_GET_SUB_COMMAND_NAME, array, part)

    def array_set(self, array: Any, index: int, value: Any) -> Any:
        """Sets an element of an array."""
        parts = get_command_part(index) + get_command_part(value)
        return self._of_collection(proto.ARRAY_COMMAND_NAME + proto.ARRAY_SET_SUB_COMMAND_NAME, array, parts)

    def array_slice(self, array: Any, indices: Any) -> Any:
        """Returns a new array of the elements at some indices."""
        parts = "".join([get_command_part(index) for index in indices])
        return self._of_collection(proto.ARRAY_COMMAND_NAME + proto.ARRAY_SLICE_SUB_COMMAND_NAME, array, parts)

    # --- lists -------------------------------------------------------------------------------------------------

    def list_slice(self, java_list: Any, indices: Any) -> Any:
        """Returns a new list of the elements at some indices."""
        parts = "".join([get_command_part(index) for index in indices])
        return self._of_collection(proto.LIST_COMMAND_NAME + proto.LIST_SLICE_SUBCOMMAND_NAME, java_list, parts)

    def list_concatenate(self, java_list: Any, other: Any) -> Any:
        """Returns a new list of the elements of two."""
        part = f"{other._get_object_id()}\n"
        return self._of_collection(proto.LIST_COMMAND_NAME + proto.LIST_CONCAT_SUBCOMMAND_NAME, java_list, part)

    def list_multiply(self, java_list: Any, times: Any) -> Any:
        """Returns a new list that repeats the elements."""
        part = get_command_part(times)
        return self._of_collection(proto.LIST_COMMAND_NAME + proto.LIST_MULT_SUBCOMMAND_NAME, java_list, part)

    def list_multiply_in_place(self, java_list: Any, times: Any) -> None:
        """Repeats the elements of a list."""
        self._order_list(java_list, proto.LIST_IMULT_SUBCOMMAND_NAME, get_command_part(times))

    def list_count(self, java_list: Any, value: Any) -> Any:
        """Returns how often a list has a value."""
        part = get_command_part(value)
        return self._of_collection(proto.LIST_COMMAND_NAME + proto.LIST_COUNT_SUBCOMMAND_NAME, java_list, part)

    def list_sort(self, java_list: Any) -> None:
        """Sorts a list in place."""
        self._order_list(java_list, proto.LIST_SORT_SUBCOMMAND_NAME)

    def list_reverse(self, java_list: Any) -> None:
        """Reverses a list in place."""
        self._order_list(java_list, proto.LIST_REVERSE_SUBCOMMAND_NAME)

    def _order_list(self, java_list: Any, subcommand: str, part: str = "") -> None:
        # Py4J does not look at the answer, and neither may this: a list that cannot be sorted stays as it is.
        self._client.send_command(
            f"{proto.LIST_COMMAND_NAME}{subcommand}{java_list._get_object_id()}\n{part}{proto.END_COMMAND_PART}"
        )

    def _of_collection(self, command: str, collection: Any, parts: str = "") -> Any:
        client = self._client
        answer = client.send_command(f"{command}{collection._get_object_id()}\n{parts}{proto.END_COMMAND_PART}")
        return hooks.java_collections.get_return_value(answer, client)
