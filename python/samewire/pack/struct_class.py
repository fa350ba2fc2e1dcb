"""The fields of a struct class, of any supported library.

Imports no library: if a class is of msgspec or attrs, its library has been imported.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import sys
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from samewire.errors import SamewireError

from .dataclass_fields import fields_of, is_missing
from .native_type import Default, StructKind


class Untyped:
    """The type of a field that its class declares without one."""


#: Classes of pydantic for constrained values of others. Not `NaiveDatetime`: a `timestamp` is read in UTC.
_DATES: Final[dict[str, type]] = {
    "AwareDatetime": datetime.datetime,
    "FutureDatetime": datetime.datetime,
    "PastDatetime": datetime.datetime,
    "FutureDate": datetime.date,
    "PastDate": datetime.date,
}


#: Returns a class's annotations as types, `Annotated` kept.
Hints = Callable[[type], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Declared:
    """A field as its class declares it; `name` differs from `attribute` if the library renames it."""

    attribute: str
    name: str
    type: Any
    default: Default | None
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Declaration:
    """A struct class; see `native_type.Struct`."""

    kind: StructKind
    fields: tuple[Declared, ...]
    after: str | None = None
    construct: bool = False
    frozen: bool = False
    setter: bool = False


def is_struct_class(cls: Any) -> bool:
    """Whether a class (or the origin of a generic alias) is a struct class."""
    return isinstance(cls, type) and (
        dataclasses.is_dataclass(cls)
        or typing.is_typeddict(cls)
        or _is_namedtuple(cls)
        or hasattr(cls, "__attrs_attrs__")
        or hasattr(cls, "__struct_fields__")
        or _is_pydantic(cls)
    )


def declaration(cls: type, hints: Hints) -> Declaration:
    """Returns the declaration of a struct class. Raises SamewireError `unsupported` for a dataclass with an InitVar."""
    if typing.is_typeddict(cls):
        return _typeddict(cls, hints)
    if _is_namedtuple(cls):
        return _namedtuple(cls, hints)
    if hasattr(cls, "__struct_fields__"):
        return _msgspec(cls, hints)
    if dataclasses.is_dataclass(cls):
        return _dataclass(cls, hints)
    if _is_pydantic(cls):
        return _pydantic(cls, hints)
    return _attrs(cls, hints)


@functools.lru_cache(256)
def lost_fields(cls: type, base: type) -> str:
    """Returns the fields that an instance of a subclass would lose when written as its base; "" if there are none."""
    kept = _names(base)
    lost = [name for name in _names(cls) if name not in kept]
    if not lost:
        return ""
    name = cls.__qualname__
    return f"{base.__qualname__} has no {', '.join(lost)}, which this {name} would lose: declare {name}, or a union of both"


def _names(cls: Any) -> tuple[str, ...]:
    if hasattr(cls, "__struct_fields__"):
        names: tuple[str, ...] = cls.__struct_fields__
        return names
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in fields_of(cls))
    if hasattr(cls, "__attrs_attrs__"):
        return tuple(attribute.name for attribute in cls.__attrs_attrs__)
    if _is_pydantic(cls):
        return tuple(cls.model_fields)
    return tuple(cls._fields)


def _is_pydantic(cls: type) -> bool:
    """Whether a class is a model of pydantic 2. Does not import pydantic."""
    pydantic = sys.modules.get("pydantic")
    return pydantic is not None and issubclass(cls, pydantic.BaseModel) and cls is not pydantic.BaseModel


def _is_namedtuple(cls: type) -> bool:
    return issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)


def _defines(cls: type, method: str, *, until: tuple[type, ...] = (object,)) -> bool:
    """Whether a class below `until` defines the method."""
    return any(method in vars(base) for base in cls.__mro__ if base not in until)


def _of_metaclass(cls: type, name: str, default: Any) -> bool:
    """Whether a default is a method of the class's class, as `type.mro`: `getattr` finds it if a field without default has
    its name."""
    return hasattr(type(cls), name) and isinstance(getattr(default, "__self__", None), type)


def _dataclass(cls: type, hints: Hints) -> Declaration:
    parameters: Any = cls.__dataclass_params__  # type: ignore[attr-defined]
    types = hints(cls)
    # Annotations may be strings: only the hints have their types.
    every = [types.get(name) for name in cls.__dataclass_fields__]  # type: ignore[attr-defined]
    if any(kind is dataclasses.InitVar or isinstance(kind, dataclasses.InitVar) for kind in every):
        raise SamewireError("unsupported", text=f"{cls.__qualname__} has an InitVar: its value is in no field")
    fields = []
    for field in fields_of(cls):
        default = None
        if not is_missing(field.default) and not _of_metaclass(cls, field.name, field.default):
            default = Default(field.default)
        elif not is_missing(field.default_factory):
            default = Default(None, field.default_factory)  # type: ignore[arg-type]
        fields.append(Declared(field.name, field.name, types[field.name], default))
    return Declaration(
        "object",
        tuple(fields),
        after="__post_init__" if hasattr(cls, "__post_init__") else None,
        construct=_defines(cls, "__new__", until=(object, typing.Generic)),
        frozen=parameters.frozen,
        setter=not parameters.frozen and _defines(cls, "__setattr__"),
    )


def _namedtuple(cls: type, hints: Hints) -> Declaration:
    types = hints(cls)
    names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    defaults: dict[str, Any] = cls._field_defaults  # type: ignore[attr-defined]
    fields = [
        Declared(name, name, types.get(name, Untyped), Default(defaults[name]) if name in defaults else None) for name in names
    ]
    # The class that `NamedTuple` makes has a generated `__new__`; a user-defined one comes before it.
    construct = any("__new__" in vars(base) and "_fields" not in vars(base) for base in cls.__mro__[:-2])
    return Declaration("namedtuple", tuple(fields), construct=construct, frozen=True)


def _typeddict(cls: type, hints: Hints) -> Declaration:
    optional: frozenset[str] = cls.__optional_keys__  # type: ignore[attr-defined]
    fields = [Declared(key, key, kind, None, absent=_may_lack(kind, key in optional)) for key, kind in hints(cls).items()]
    return Declaration("typeddict", tuple(fields))


def _may_lack(kind: Any, otherwise: bool) -> bool:
    """Whether the key may be missing by `Required` and `NotRequired`, which the class does not see in string annotations."""
    while (origin := typing.get_origin(kind)) is Annotated:
        kind = typing.get_args(kind)[0]
    if origin is typing.NotRequired:
        return True
    return otherwise and origin is not typing.Required


def _msgspec(cls: type, hints: Hints) -> Declaration:
    structs: Any = sys.modules["msgspec"].structs
    types = hints(cls)
    fields = []
    for field in structs.fields(cls):
        default = None
        if field.default is not sys.modules["msgspec"].NODEFAULT:
            default = Default(field.default)
        elif field.default_factory is not sys.modules["msgspec"].NODEFAULT:
            default = Default(None, field.default_factory)
        fields.append(Declared(field.name, field.encode_name, types[field.name], default))
    base: type = sys.modules["msgspec"].Struct
    return Declaration(
        "msgspec",
        tuple(fields),
        after="__post_init__" if hasattr(cls, "__post_init__") else None,
        construct=_defines(cls, "__new__", until=base.__mro__),
        frozen=cls.__struct_config__.frozen,  # type: ignore[attr-defined]
    )


def _pydantic(cls: Any, hints: Hints) -> Declaration:
    """A model is made by calling it, so decoded values are validated.

    Its fields' types are those that pydantic resolved: the annotations of a generic model lack the type arguments.
    """
    config = cls.model_config
    model = cls.__qualname__
    if config.get("extra") == "allow":
        text = f'{model} has extra="allow": extra values are in no schema; declare a field for them, as dict[str, Any], and leave `extra` out'
        raise SamewireError("unsupported", text=text)
    if not cls.__pydantic_complete__:
        cls.model_rebuild(raise_errors=False)
    types = {} if cls.__pydantic_complete__ else hints(cls)
    by_name = config.get("populate_by_name") or config.get("validate_by_name")
    undefined: Any = sys.modules["pydantic_core"].PydanticUndefined
    fields = []
    for name, field in cls.model_fields.items():
        if (field.alias is not None or field.validation_alias is not None) and not by_name:
            text = f"{model}.{name} has an alias: set populate_by_name=True, since a decoded model is made by its fields' names"
            raise SamewireError("unsupported", text=text)
        default = None
        if field.default_factory is not None:
            default = Default(None, field.default_factory)
        elif field.default is not undefined and not _of_metaclass(cls, name, field.default):
            default = Default(field.default)
        if field.exclude is True:
            if default is None:
                text = f"{model}.{name} has exclude=True and no default: it is not written, so give it a default to read"
                raise SamewireError("unsupported", text=text)
            continue
        kind = types.get(name, field.annotation)
        if name not in types and field.metadata:
            kind = Annotated[kind, *field.metadata]
        fields.append(Declared(name, name, kind, default))
    return Declaration("object", tuple(fields), construct=True, frozen=bool(config.get("frozen")))


def generic_model(cls: Any) -> tuple[type, tuple[Any, ...]] | None:
    """Returns pydantic's generic model and arguments for a class such as `Page[int]`; None for others."""
    made = getattr(cls, "__pydantic_generic_metadata__", None)
    return (made["origin"], made["args"]) if made and made["origin"] is not None else None


def standard_of_pydantic(cls: type) -> type | None:
    """Returns the standard class for pydantic's constrained dates (`AwareDatetime`); None for other classes."""
    if cls.__module__ != "pydantic.types":
        return None
    return _DATES.get(cls.__name__)


def _attrs(cls: type, hints: Hints) -> Declaration:
    types = hints(cls)
    fields = []
    for attribute in cls.__attrs_attrs__:  # type: ignore[attr-defined]
        default = None
        if attribute.default is not sys.modules["attr"].NOTHING:
            factory = getattr(attribute.default, "factory", None)
            if factory is None:
                default = Default(attribute.default)
            elif not attribute.default.takes_self:
                default = Default(None, factory)
        kind = types.get(attribute.name, attribute.type)
        fields.append(Declared(attribute.name, attribute.name, Untyped if kind is None else kind, default))
    # attrs does not store `frozen`; the generated `__setattr__` of a frozen class has this name.
    frozen = getattr(cls.__setattr__, "__name__", "") == "_frozen_setattrs"
    # attrs generates a `__setattr__` for validators and converters; its own constructor does not call it either.
    generated = vars(cls).get("__attrs_own_setattr__", False)
    return Declaration(
        "object",
        tuple(fields),
        after="__attrs_post_init__" if hasattr(cls, "__attrs_post_init__") else None,
        construct=_defines(cls, "__new__", until=(object, typing.Generic)),
        frozen=frozen,
        setter=not frozen and not generated and _defines(cls, "__setattr__"),
    )
