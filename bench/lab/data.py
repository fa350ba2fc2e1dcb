"""A user's own file as a workload: read once, completed once, handed to every runner as the same value and schema."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from samewire.errors import SamewireError
from samewire.schema.infer import Options, SourceError, infer, name_from, read
from samewire.schema.infer.convert import complete

from bench.lab.places import BUILD
from bench.lab.run import Value


class DataError(Exception):
    """The file cannot be read, or no schema holds it."""


def take(path: Path, root: Path = BUILD / "data") -> Value:
    """Writes ``value.json`` and ``schema.txt`` in a folder named after the file's content. Raises DataError.

    The value is JSON with null for every missing field. Dates and enums stay text: what JSON peers carry, all can; a runner whose
    library has such types may infer them again from the value.
    """
    try:
        content = path.read_bytes()
        if not content.strip():
            raise DataError(f"{path} is empty: there is nothing to measure")
        source = read(path)
        loaded = source.loaded()
        if loaded == []:
            raise DataError(f"{path} holds no record: there is nothing to measure")
        inferred = infer(loaded, Options(name=name_from(path.stem), texts=False, enums=0, tuples=False, unions=False))
        value = complete(inferred.type, loaded)
    except OSError as wrong:
        raise DataError(f"{path}: {wrong.strerror}") from None
    except SourceError as wrong:
        raise DataError(str(wrong)) from None
    except SamewireError as wrong:
        raise DataError(f"{path}: {wrong}") from None
    digest = hashlib.sha256(content).hexdigest()
    folder = root / f"{path.stem}-{digest[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    (folder / "value.json").write_text(text, "utf-8")
    (folder / "schema.txt").write_text(inferred.schema.text + "\n", "utf-8")
    about = {
        "file": path.name,
        "format": source.format,
        "sha256": digest,
        "items": len(value) if isinstance(value, list) else 1,
        "json_bytes": len(text.encode()),
        "schema": inferred.schema.text,
        "digest": inferred.schema.digest.hex(),
    }
    return Value(folder / "value.json", folder / "schema.txt", about)
