"""What searches return: documents, results, suggestions, profiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def text(value: Any, encoding: str = "utf-8") -> Any:
    """Bytes as text; what cannot be decoded is left out."""
    return value.decode(encoding, "ignore") if isinstance(value, bytes) else value


def texts(value: Any) -> Any:
    """Bytes as text, in lists and dictionaries too."""
    if isinstance(value, dict):
        return {texts(name): texts(item) for name, item in value.items()}
    if isinstance(value, list):
        return [texts(item) for item in value]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def named(value: Any) -> dict[str, Any]:
    """A dictionary, or a list of names and values, with str for names."""
    pairs = value.items() if isinstance(value, dict) else zip(value[::2], value[1::2], strict=False)
    return {texts(name): item for name, item in pairs}


class Document:
    """A document that was found: `id`, `payload`, `score` if it was asked for, and its fields as attributes."""

    def __init__(self, id: Any, payload: Any = None, **fields: Any) -> None:
        self.id = id
        self.payload = payload
        for name, value in fields.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"Document {self.__dict__}"

    def __getitem__(self, item: str) -> Any:
        return getattr(self, item)


def document(id: Any, payload: Any, score: dict[str, Any], fields: dict[Any, Any]) -> Document:
    """A document; the root of JSON is its field `json`."""
    fields.pop("id", None)
    if "$" in fields:
        fields["json"] = fields.pop("$")
    return Document(id, payload=payload, **score, **fields)


class Result:
    """What a search found: `total` is the number of all results, `docs` those that were asked for, `duration` milliseconds.

    res: RESP2's reply.
    """

    def __init__(
        self,
        res: Any,
        hascontent: bool,
        duration: float = 0,
        has_payload: bool | None = False,
        with_scores: bool | None = False,
        field_encodings: dict[Any, str | None] | None = None,
        warnings: Any = None,
    ) -> None:
        self.total = res[0]
        self.duration = duration
        self.docs: list[Document] = []
        self.warnings = warnings or []
        step = 1 + bool(hascontent) + bool(has_payload) + bool(with_scores)
        offset = 2 if with_scores else 1
        for at in range(1, len(res), step):
            found = res[at + offset + bool(has_payload)] if hascontent else None
            fields = {}
            for name, value in zip(map(text, (found or ())[::2]), (found or ())[1::2], strict=False):
                encoding = (field_encodings or {}).get(name, "utf-8")
                fields[name] = value if encoding is None else text(value, encoding)
            score = {"score": float(res[at + 1])} if with_scores else {}
            payload = text(res[at + offset]) if has_payload else None
            self.docs.append(document(text(res[at]), payload, score, fields))

    @classmethod
    def from_resp3(
        cls,
        res: Any,
        duration: float = 0,
        with_scores: bool = False,
        field_encodings: dict[Any, str | None] | None = None,
    ) -> Result:
        """RESP3's reply."""
        said = named(res or {})
        made = cls([said.get("total_results", 0)], False, duration, warnings=texts(said.get("warning", [])))
        for item in map(named, said.get("results", [])):
            score = {}
            if with_scores:
                score["score"] = float(item["score"]) if "score" in item else None
            fields = decoded(item.get("extra_attributes") or {}, field_encodings)
            made.docs.append(document(texts(item.get("id", "")), None, score, fields))
        return made

    def __repr__(self) -> str:
        return f"Result{{{self.total} total, docs: {self.docs}}}"


def decoded(fields: dict[Any, Any], encodings: dict[Any, str | None] | None) -> dict[Any, Any]:
    """Fields as text of their encodings, or as bytes."""
    made = {}
    for name, value in named(fields).items():
        encoding = (encodings or {}).get(name, "utf-8")
        made[name] = value.decode(encoding, "replace") if encoding is not None and isinstance(value, bytes) else value
    return made


class ProfileInformation:
    """How the server carried a query out."""

    def __init__(self, info: Any) -> None:
        self._info = info

    @property
    def info(self) -> Any:
        """What the server says."""
        return self._info


class Suggestion:
    """A suggestion for completions. score: how near to the top."""

    def __init__(self, string: Any, score: float = 1.0, payload: Any = None) -> None:
        self.string = text(string)
        self.payload = text(payload)
        self.score = score

    def __repr__(self) -> str:
        return str(self.string)


class SuggestionParser:
    """The suggestions of a reply of FT.SUGGET."""

    def __init__(self, with_scores: bool, with_payloads: bool, ret: Any) -> None:
        self.with_scores = with_scores
        self.with_payloads = with_payloads
        self._said = ret or []

    def __iter__(self) -> Iterator[Suggestion]:
        size = 1 + bool(self.with_scores) + bool(self.with_payloads)
        for at in range(0, len(self._said), size):
            score = float(self._said[at + 1]) if self.with_scores else 1.0
            payload = self._said[at + size - 1] if self.with_payloads else None
            yield Suggestion(self._said[at], score, payload)
