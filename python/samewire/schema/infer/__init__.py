"""Infers a schema from JSON, NDJSON or CSV, and converts such data to native values and back.

Values are those of JSON: None, bool, int, float, str, list, dict with str keys. The outermost list may be any iterable that
can be iterated more than once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samewire.errors import SamewireError
from samewire.pack.schema import Schema

from .decision import Decision, Options, name_from
from .faults import Fault, SourceError
from .inferred_type import InferredType, InferredUnion, fine_fields, long_fields, rewritten_fields, type_of, unions_of
from .observed import Observed
from .shapes import Shapes
from .source import FORMATS, Source, parse, read
from .unions import find_unions

__all__ = ["FORMATS", "Inferred", "Options", "Source", "SourceError", "infer", "name_from", "parse", "read"]


@dataclass(frozen=True)
class Inferred:
    """A schema, and how JSON values are converted to values of it."""

    schema: Schema
    type: InferredType

    @property
    def long_fields(self) -> frozenset[tuple[str, str]]:
        """The fields whose lists of numbers are usually long: `definitions.file_for` makes typed arrays of them."""
        return long_fields(self.type)

    @property
    def fine_fields(self) -> frozenset[tuple[str, str]]:
        """The fields whose times are finer than a microsecond: `definitions.file_for` makes nanoseconds of them in Python."""
        return fine_fields(self.type)

    @property
    def notes(self) -> list[str]:
        """For users: the information in the data that values of the schema lack."""
        rewritten = (
            f"{'.'.join(place) if any(place) else 'the data'}: {form.note}" for place, form in rewritten_fields(self.type).items()
        )
        return [*(union.note for union in self.unions), *rewritten]

    @property
    def unions(self) -> list[InferredUnion]:
        """The unions of the schema, each once; their structs lack the discriminator field."""
        return unions_of(self.type)


def infer(value: Any, options: Options | None = None) -> Inferred:
    """Returns the narrowest schema that holds `value` exactly, with three exceptions.

    A missing field becomes null; members of a union lack the discriminator field; and times that are written in several
    ways lose their notation, but keep all nanoseconds. `Inferred.notes` lists the latter two.

    Raises SamewireError: with a path, `bad_utf8` for text with a lone surrogate and `bad_number` for a float that is not
    finite; `limit_items` for data with more names than a schema may have.
    """
    seen = Observed()
    try:
        seen.see(value)
        chosen = options or Options()
        if chosen.unions:
            find_unions(seen, value)
        seen.merge_recursive()
        decided = Decision(chosen, Shapes(seen)).type(seen, chosen.name, "")
    except Fault as fault:
        raise fault.located(value) from None
    except RecursionError:
        raise SamewireError("limit_depth", None, None, "the data is nested too deep") from None
    return Inferred(Schema.of(type_of(decided)), decided)
