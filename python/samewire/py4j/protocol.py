"""Values and answers of Py4J's text protocol, and the errors. The words are in `constants`, and public here."""

from __future__ import annotations

from base64 import b64decode, b64encode
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .constants import (
    ARRAY_COMMAND_NAME,
    ARRAY_CREATE_SUB_COMMAND_NAME,
    ARRAY_GET_SUB_COMMAND_NAME,
    ARRAY_LEN_SUB_COMMAND_NAME,
    ARRAY_SET_SUB_COMMAND_NAME,
    ARRAY_SLICE_SUB_COMMAND_NAME,
    ARRAY_TYPE,
    AUTH_COMMAND_NAME,
    BOOLEAN_TYPE,
    BYTES_TYPE,
    CALL_COMMAND_NAME,
    CALL_PROXY_COMMAND_NAME,
    CLASS_FQN_START,
    CLASS_TYPE,
    CONNECTION_PROPERTY_OBJECT_ID,
    CONSTRUCTOR_COMMAND_NAME,
    DECIMAL_TYPE,
    DEFAULT_JVM_ID,
    DEFAULT_JVM_NAME,
    DIR_COMMAND_NAME,
    DIR_FIELDS_SUBCOMMAND_NAME,
    DIR_JVMVIEW_SUBCOMMAND_NAME,
    DIR_METHODS_SUBCOMMAND_NAME,
    DIR_STATIC_SUBCOMMAND_NAME,
    DOUBLE_TYPE,
    EMPTY_RESPONSE,
    END,
    END_COMMAND_PART,
    ENTRY_POINT_OBJECT_ID,
    ERROR,
    ERROR_ON_RECEIVE,
    ERROR_ON_SEND,
    ERROR_RETURN_MESSAGE,
    ESCAPE_CHAR,
    EXCEPTION_COMMAND_NAME,
    FATAL_ERROR,
    FIELD_COMMAND_NAME,
    FIELD_GET_SUBCOMMAND_NAME,
    FIELD_SET_SUBCOMMAND_NAME,
    GARBAGE_COLLECT_PROXY_COMMAND_NAME,
    GATEWAY_SERVER_OBJECT_ID,
    HELP_CLASS_SUBCOMMAND_NAME,
    HELP_COMMAND_NAME,
    HELP_OBJECT_SUBCOMMAND_NAME,
    INTEGER_TYPE,
    ITERATOR_TYPE,
    JAVA_INFINITY,
    JAVA_MAX_INT,
    JAVA_MIN_INT,
    JAVA_NAN,
    JAVA_NEGATIVE_INFINITY,
    JVM_CREATE_VIEW_SUB_COMMAND_NAME,
    JVM_IMPORT_SUB_COMMAND_NAME,
    JVM_SEARCH_SUB_COMMAND_NAME,
    JVMVIEW_COMMAND_NAME,
    LIST_COMMAND_NAME,
    LIST_CONCAT_SUBCOMMAND_NAME,
    LIST_COUNT_SUBCOMMAND_NAME,
    LIST_IMULT_SUBCOMMAND_NAME,
    LIST_MULT_SUBCOMMAND_NAME,
    LIST_REVERSE_SUBCOMMAND_NAME,
    LIST_SLICE_SUBCOMMAND_NAME,
    LIST_SORT_SUBCOMMAND_NAME,
    LIST_TYPE,
    LONG_TYPE,
    MAP_TYPE,
    MEMORY_ATTACH_SUBCOMMAND_NAME,
    MEMORY_COMMAND_NAME,
    MEMORY_DEL_SUBCOMMAND_NAME,
    METHOD_TYPE,
    NO_MEMBER,
    NO_MEMBER_COMMAND,
    NULL_TYPE,
    OUTPUT_VOID_COMMAND,
    PACKAGE_TYPE,
    PYTHON_PROXY_PREFIX,
    PYTHON_PROXY_TYPE,
    REFERENCE_TYPE,
    REFL_GET_JAVA_LANG_CLASS_SUB_COMMAND_NAME,
    REFL_GET_MEMBER_SUB_COMMAND_NAME,
    REFL_GET_UNKNOWN_SUB_COMMAND_NAME,
    REFLECTION_COMMAND_NAME,
    REMOVE_IMPORT_SUB_COMMAND_NAME,
    RETURN_MESSAGE,
    SET_TYPE,
    SHUTDOWN_GATEWAY_COMMAND_NAME,
    STATIC_PREFIX,
    STREAM_COMMAND_NAME,
    STRING_TYPE,
    SUCCESS,
    SUCCESS_CLASS,
    SUCCESS_PACKAGE,
    SUCCESS_RETURN_MESSAGE,
    VOID_TYPE,
)
from .errors import Py4JAuthenticationError, Py4JError, Py4JJavaError, Py4JNetworkError
from .outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ARRAY_COMMAND_NAME",
    "ARRAY_CREATE_SUB_COMMAND_NAME",
    "ARRAY_GET_SUB_COMMAND_NAME",
    "ARRAY_LEN_SUB_COMMAND_NAME",
    "ARRAY_SET_SUB_COMMAND_NAME",
    "ARRAY_SLICE_SUB_COMMAND_NAME",
    "ARRAY_TYPE",
    "AUTH_COMMAND_NAME",
    "BOOLEAN_TYPE",
    "BYTES_TYPE",
    "CALL_COMMAND_NAME",
    "CALL_PROXY_COMMAND_NAME",
    "CLASS_FQN_START",
    "CLASS_TYPE",
    "CONNECTION_PROPERTY_OBJECT_ID",
    "CONSTRUCTOR_COMMAND_NAME",
    "DECIMAL_TYPE",
    "DEFAULT_JVM_ID",
    "DEFAULT_JVM_NAME",
    "DIR_COMMAND_NAME",
    "DIR_FIELDS_SUBCOMMAND_NAME",
    "DIR_JVMVIEW_SUBCOMMAND_NAME",
    "DIR_METHODS_SUBCOMMAND_NAME",
    "DIR_STATIC_SUBCOMMAND_NAME",
    "DOUBLE_TYPE",
    "EMPTY_RESPONSE",
    "END",
    "END_COMMAND_PART",
    "ENTRY_POINT_OBJECT_ID",
    "ERROR",
    "ERROR_ON_RECEIVE",
    "ERROR_ON_SEND",
    "ERROR_RETURN_MESSAGE",
    "ESCAPE_CHAR",
    "EXCEPTION_COMMAND_NAME",
    "FATAL_ERROR",
    "FIELD_COMMAND_NAME",
    "FIELD_GET_SUBCOMMAND_NAME",
    "FIELD_SET_SUBCOMMAND_NAME",
    "GARBAGE_COLLECT_PROXY_COMMAND_NAME",
    "GATEWAY_SERVER_OBJECT_ID",
    "HELP_CLASS_SUBCOMMAND_NAME",
    "HELP_COMMAND_NAME",
    "HELP_OBJECT_SUBCOMMAND_NAME",
    "INPUT_CONVERTER",
    "INTEGER_TYPE",
    "ITERATOR_TYPE",
    "JAVA_INFINITY",
    "JAVA_MAX_INT",
    "JAVA_MIN_INT",
    "JAVA_NAN",
    "JAVA_NEGATIVE_INFINITY",
    "JVMVIEW_COMMAND_NAME",
    "JVM_CREATE_VIEW_SUB_COMMAND_NAME",
    "JVM_IMPORT_SUB_COMMAND_NAME",
    "JVM_SEARCH_SUB_COMMAND_NAME",
    "LIST_COMMAND_NAME",
    "LIST_CONCAT_SUBCOMMAND_NAME",
    "LIST_COUNT_SUBCOMMAND_NAME",
    "LIST_IMULT_SUBCOMMAND_NAME",
    "LIST_MULT_SUBCOMMAND_NAME",
    "LIST_REVERSE_SUBCOMMAND_NAME",
    "LIST_SLICE_SUBCOMMAND_NAME",
    "LIST_SORT_SUBCOMMAND_NAME",
    "LIST_TYPE",
    "LONG_TYPE",
    "MAP_TYPE",
    "MEMORY_ATTACH_SUBCOMMAND_NAME",
    "MEMORY_COMMAND_NAME",
    "MEMORY_DEL_SUBCOMMAND_NAME",
    "METHOD_TYPE",
    "NO_MEMBER",
    "NO_MEMBER_COMMAND",
    "NULL_TYPE",
    "OUTPUT_CONVERTER",
    "OUTPUT_VOID_COMMAND",
    "PACKAGE_TYPE",
    "PYTHON_PROXY_PREFIX",
    "PYTHON_PROXY_TYPE",
    "REFERENCE_TYPE",
    "REFLECTION_COMMAND_NAME",
    "REFL_GET_JAVA_LANG_CLASS_SUB_COMMAND_NAME",
    "REFL_GET_MEMBER_SUB_COMMAND_NAME",
    "REFL_GET_UNKNOWN_SUB_COMMAND_NAME",
    "REMOVE_IMPORT_SUB_COMMAND_NAME",
    "RETURN_MESSAGE",
    "SET_TYPE",
    "SHUTDOWN_GATEWAY_COMMAND_NAME",
    "STATIC_PREFIX",
    "STREAM_COMMAND_NAME",
    "STRING_TYPE",
    "SUCCESS",
    "SUCCESS_CLASS",
    "SUCCESS_PACKAGE",
    "SUCCESS_RETURN_MESSAGE",
    "VOID_TYPE",
    "Py4JAuthenticationError",
    "Py4JError",
    "Py4JJavaError",
    "Py4JNetworkError",
    "compute_exception_message",
    "decode_bytearray",
    "encode_bytearray",
    "encode_float",
    "escape_new_line",
    "get_command_part",
    "get_error_message",
    "get_return_value",
    "is_error",
    "is_fatal_error",
    "is_python_proxy",
    "register_input_converter",
    "register_output_converter",
    "smart_decode",
    "unescape_new_line",
]

#: How Java's text for a double differs from Python's.
_FLOATS = {"inf": JAVA_INFINITY, "-inf": JAVA_NEGATIVE_INFINITY, "nan": JAVA_NAN}


def smart_decode(s: Any) -> str:
    """Returns a text as it is, bytes as UTF-8, and the text of anything else."""
    if isinstance(s, str):
        return s
    return s.decode("utf-8") if isinstance(s, bytes) else str(s)


def escape_new_line(original: Any) -> Any:
    """Returns a text without line ends: backslash, CR and LF are written as two characters each. Nothing stays as it is."""
    if not original:
        return original
    return smart_decode(original).replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")


def unescape_new_line(escaped: Any) -> Any:
    """Returns the text that `escape_new_line` was given."""
    if not escaped or "\\" not in escaped:
        return escaped
    # A pair of backslashes is one, and ends no other escape: so the text is cut there first.
    return "\\".join(part.replace("\\n", "\n").replace("\\r", "\r") for part in escaped.split("\\\\"))


def encode_float(float_value: float) -> str:
    """Returns a float as Java reads doubles."""
    text = smart_decode(repr(float_value))
    return _FLOATS.get(text, text)


def encode_bytearray(barray: Any) -> str:
    """Returns bytes, or what `bytes` takes, in base64."""
    return b64encode(barray if isinstance(barray, (bytes, bytearray)) else bytes(barray)).decode("ascii")


def decode_bytearray(encoded: str) -> bytes:
    """Returns the bytes of a text in base64."""
    return b64decode(encoded)


def is_python_proxy(parameter: Any) -> bool:
    """Whether an object's class implements Java's interfaces: it has a class `Java` whose `implements` is not empty."""
    try:
        return len(parameter.Java.implements) > 0
    except Exception:
        return False


def get_command_part(parameter: Any, python_proxy_pool: Any = None) -> str:
    """Returns an argument as the line of a command."""
    if parameter is None:
        return NULL_TYPE + "\n"
    if isinstance(parameter, bool):
        return f"{BOOLEAN_TYPE}{smart_decode(parameter)}\n"
    if isinstance(parameter, str):
        return f"{STRING_TYPE}{escape_new_line(parameter)}\n"
    if isinstance(parameter, int):
        fits = JAVA_MIN_INT <= parameter <= JAVA_MAX_INT
        return f"{INTEGER_TYPE if fits else LONG_TYPE}{smart_decode(parameter)}\n"
    if isinstance(parameter, float):
        return f"{DOUBLE_TYPE}{encode_float(parameter)}\n"
    if isinstance(parameter, Decimal):
        return f"{DECIMAL_TYPE}{smart_decode(parameter)}\n"
    if isinstance(parameter, (bytes, bytearray)):
        return f"{BYTES_TYPE}{encode_bytearray(parameter)}\n"
    if is_python_proxy(parameter):
        return ";".join((PYTHON_PROXY_TYPE + python_proxy_pool.put(parameter), *parameter.Java.implements)) + "\n"
    return f"{REFERENCE_TYPE}{parameter._get_object_id()}\n"


def get_return_value(answer: Any, gateway_client: Any, target_id: str | None = None, name: str | None = None) -> Any:
    """Returns the value of an answer, or raises its error.

    target_id, name: the object and the member that were called, for the error's text.
    """
    if isinstance(answer, Outcome):
        return answer.deliver()
    if not is_error(answer)[0]:
        kind = answer[1]
        return None if kind == VOID_TYPE else OUTPUT_CONVERTER[kind](answer[2:], gateway_client)
    called = f"An error occurred while calling {target_id}.{name}"
    if len(answer) <= 1:
        raise Py4JError(called)
    value = OUTPUT_CONVERTER[answer[1]](answer[2:], gateway_client)
    if answer[1] == REFERENCE_TYPE:
        raise Py4JJavaError(f"{called}.\n", value)
    raise Py4JError(f"{called}. Trace:\n{value}\n")


def is_error(answer: Any) -> tuple[bool, None]:
    """Returns a pair of which the first says whether an answer is an error."""
    return (len(answer) == 0 or answer[0] != SUCCESS, None)


def is_fatal_error(answer: Any) -> Any:
    """Whether an answer is an error after which the connection is closed."""
    return answer and answer[0] == FATAL_ERROR


def get_error_message(answer: Any, gateway_client: Any = None) -> tuple[bool, Any]:
    """Returns whether an answer is an error, and its text if it has one."""
    failed = is_error(answer)[0]
    if failed and len(answer) > 1 and answer[1] == STRING_TYPE:
        return failed, OUTPUT_CONVERTER[STRING_TYPE](answer[2:], gateway_client)
    return failed, None


def compute_exception_message(default_message: str, extra_message: str | None = None) -> str:
    """Returns a message, and what else is known after a dash."""
    return f"{default_message} -- {extra_message}" if extra_message else default_message


#: How the value of an answer becomes an object, by its type: called with the text after the type, and the client.
OUTPUT_CONVERTER: dict[str, Callable[[str, Any], Any]] = {
    NULL_TYPE: lambda _text, _client: None,
    BOOLEAN_TYPE: lambda text, _client: text.lower() == "true",
    LONG_TYPE: lambda text, _client: int(text),
    DECIMAL_TYPE: lambda text, _client: Decimal(text),
    INTEGER_TYPE: lambda text, _client: int(text),
    BYTES_TYPE: lambda text, _client: decode_bytearray(text),
    DOUBLE_TYPE: lambda text, _client: float(text),
    STRING_TYPE: lambda text, _client: unescape_new_line(text),
}

#: Objects with `can_convert(value)` and `convert(value, gateway_client)`; the first that can converts an argument.
INPUT_CONVERTER: list[Any] = []


def register_output_converter(output_type: str, converter: Callable[[str, Any], Any]) -> None:
    """Registers a function that makes objects of the answers of a type, for all clients."""
    OUTPUT_CONVERTER[output_type] = converter


def register_input_converter(converter: Any, prepend: bool = False) -> None:
    """Adds a converter of arguments for all clients with `auto_convert`, behind the others or in front of them."""
    INPUT_CONVERTER.insert(0 if prepend else len(INPUT_CONVERTER), converter)
