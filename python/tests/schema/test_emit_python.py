"""Emitted Python imports, and its types have the schema that they were made from."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from emitted import SCHEMAS
from samewire import pack
from samewire.pack.schema import Schema
from samewire.schema.emit.definitions import LANGUAGES, file_for
from samewire.schema.emit.python import emit


def define(text: str, name: str) -> Any:
    """Makes a module of this source; it must be importable to resolve its annotations."""
    made = ModuleType(f"emitted_{name}")
    sys.modules[made.__name__] = made
    exec(compile(text, made.__name__, "exec"), vars(made))
    return made


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_codec_has_the_schema(name: str) -> None:
    schema = SCHEMAS[name]
    types = define(emit(schema), name)
    if schema.text == "struct Never { again: Never }":  # no value has this type
        return
    codec = pack.codec(types.Root)
    assert codec.schema.annotated == schema.annotated


def test_names() -> None:
    text = emit(Schema.parse('struct movie { "Release Date": option<date>, n: i32, "N 2": i32, e: enum E { "a-b", c } }'))
    assert '@pack.named("movie")\n@dataclass(slots=True, frozen=True)\nclass Movie:' in text
    assert 'release_date: Annotated[dt.date | None, pack.Name("Release Date")]' in text
    assert "    n: Annotated[int, pack.I32]\n" in text
    assert 'n_2: Annotated[int, pack.I32, pack.Name("N 2")]' in text
    assert '@pack.named(A_B="a-b")\nclass E(Enum):\n    A_B = "a-b"\n    c = "c"' in text


def test_a_field_is_not_called_as_a_method_of_the_class_of_classes() -> None:
    schema = Schema.parse("struct S { mro: i32, x: i32 }")
    types = define(emit(schema), "mro")
    assert types.S(1, 2) == types.S(mro_=1, x=2)
    assert pack.codec(types.Root).schema.annotated == schema.annotated
    with pytest.raises(TypeError, match="mro_"):
        types.S(x=2)


def test_files() -> None:
    schema = Schema.parse("list<struct Movie { title: string }>")
    names = [file_for(schema, language, "movie types")[0] for language in LANGUAGES]
    assert names == ["movie_types.py", "MovieTypes.java", "movie_types.ts", "movie_types.rs"]
    with pytest.raises(ValueError, match="cobol"):
        file_for(schema, "cobol", "movie types")
