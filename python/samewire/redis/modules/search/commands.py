"""The search module (RediSearch 2.0 to 2.10, part of Redis 8, and valkey-search for what it has)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from samewire.redis.rules.conversion import NEVER_DECODE

from ..module import Module, Table, as_list, option
from .aggregation import AggregateRequest, Cursor
from .conversions import Asked, chosen
from .field import Field
from .hybrid import CombineResultsMethod, HybridCursorQuery, HybridPostProcessingConfig, HybridQuery
from .index_definition import IndexDefinition
from .query import Query
from .results import Document, Suggestion, SuggestionParser, decoded


def schema(fields: Field | Iterable[Field]) -> list[Any]:
    """One field or several, as they are sent."""
    return fields.redis_args() if isinstance(fields, Field) else [word for one in fields for word in one.redis_args()]


def parameters(given: Mapping[str, Any] | None) -> list[Any]:
    """PARAMS."""
    return ["PARAMS", 2 * len(given), *(word for pair in given.items() for word in pair)] if given else []


def read_by(reply: Any, _read: Callable[[Any], Any] | None = None, **_: Any) -> Any:
    """A reply, converted as the method says that sent the command; as it is for other callers."""
    return reply if _read is None else _read(reply)


class SearchCommands:
    """The commands as methods, for one index."""

    execute_command: Callable[..., Any]
    client: Any
    index_name: Any
    pipeline: Callable[..., Any]

    def _read(self, name: str, query: Any = None) -> Callable[[Any], Any]:
        """What converts the reply to a command that is sent now."""
        owner = getattr(self.client, "_placing", self.client)
        options = owner.get_connection_kwargs()
        convert = chosen(options.get("protocol"), options.get("legacy_responses", True)).get(name)
        if convert is None:
            return lambda reply: reply
        start = time.monotonic()
        return lambda reply: convert(reply, Asked(query, (time.monotonic() - start) * 1000))

    def create_index(
        self,
        fields: Field | Iterable[Field],
        no_term_offsets: bool = False,
        no_field_flags: bool = False,
        stopwords: Iterable[str] | None = None,
        definition: IndexDefinition | None = None,
        max_text_fields: bool = False,
        temporary: int | None = None,
        no_highlight: bool = False,
        no_term_frequencies: bool = False,
        skip_initial_scan: bool = False,
    ) -> Any:
        """FT.CREATE (since 1.0): makes the index of fields.

        no_term_offsets, no_field_flags, no_highlight, no_term_frequencies: what is left out to save memory.
        stopwords: words that are not indexed. definition: which keys are indexed. max_text_fields: room for over 32 of them.
        temporary: seconds without use after which it is dropped. skip_initial_scan: keys that are there already are not indexed.
        """
        words = [] if definition is None else list(definition.args)
        words += ["MAXTEXTFIELDS"] if max_text_fields else []
        words += option("TEMPORARY", temporary)
        flags = {
            "NOOFFSETS": no_term_offsets,
            "NOHL": no_highlight,
            "NOFIELDS": no_field_flags,
            "NOFREQS": no_term_frequencies,
            "SKIPINITIALSCAN": skip_initial_scan,
        }
        words += [word for word, given in flags.items() if given]
        if isinstance(stopwords, (list, tuple, set)):
            words += ["STOPWORDS", len(stopwords), *stopwords]
        return self.execute_command("FT.CREATE", self.index_name, *words, "SCHEMA", *schema(fields))

    def alter_schema_add(self, fields: Field | Iterable[Field]) -> Any:
        """FT.ALTER (since 1.0): adds fields to the index."""
        return self.execute_command("FT.ALTER", self.index_name, "SCHEMA", "ADD", *schema(fields))

    def dropindex(self, delete_documents: bool = False) -> Any:
        """FT.DROPINDEX (since 2.0): drops the index. delete_documents: and the keys that it is of."""
        return self.execute_command("FT.DROPINDEX", self.index_name, *(["DD"] if delete_documents is True else []))

    def load_document(self, id: Any, field_encodings: dict[Any, str | None] | None = None) -> Any:
        """The document of a hash."""
        return loaded(id, self.client.hgetall(id), field_encodings)

    def info(self) -> Any:
        """FT.INFO (since 1.0): what is known of the index."""
        return self.execute_command("FT.INFO", self.index_name, _read=self._read("FT.INFO"))

    def get_params_args(self, query_params: Mapping[str, Any] | None) -> list[Any]:
        """Parameters of a query as they are sent."""
        return parameters(query_params)

    def _asked(self, query: Any, query_params: Mapping[str, Any] | None) -> tuple[Query, list[Any]]:
        if isinstance(query, str):
            query = Query(query)
        if not isinstance(query, Query):
            raise ValueError(f"expected a Query or str, not {type(query).__name__}")  # noqa: TRY004
        return query, [self.index_name, *query.get_args(), *parameters(query_params)]

    def search(self, query: str | Query, query_params: Mapping[str, Any] | None = None) -> Any:
        """FT.SEARCH (since 1.0): documents that match (`Result`).

        query_params: values of the query's $names (since 2.4).

        Raises ValueError for what is not a query.
        """
        asked, words = self._asked(query, query_params)
        return self.execute_command("FT.SEARCH", *words, **{NEVER_DECODE: True}, _read=self._read("FT.SEARCH", asked))

    def hybrid_search(
        self,
        query: HybridQuery,
        combine_method: CombineResultsMethod | None = None,
        post_processing: HybridPostProcessingConfig | None = None,
        params_substitution: Mapping[str, Any] | None = None,
        timeout: int | None = None,
        cursor: HybridCursorQuery | None = None,
    ) -> Any:
        """FT.HYBRID (Redis 8.4): what words and nearness of vectors find together (`HybridResult`, or with a cursor its ids).

        combine_method: how scores become one. post_processing: steps that results go through. timeout: milliseconds.
        """
        words = query.get_args() + (combine_method.get_args() if combine_method else [])
        words += post_processing.build_args() if post_processing else []
        words += parameters(params_substitution) + option("TIMEOUT", timeout or None)
        words += cursor.build_args() if cursor else []
        asked = (post_processing, bool(cursor))
        return self.execute_command(
            "FT.HYBRID", self.index_name, *words, **{NEVER_DECODE: True}, _read=self._read("FT.HYBRID", asked)
        )

    def explain(self, query: str | Query, query_params: Mapping[str, Any] | None = None) -> Any:
        """FT.EXPLAIN (since 1.0): how the server understands a query, as text."""
        return self.execute_command("FT.EXPLAIN", *self._asked(query, query_params)[1])

    def explain_cli(self, query: Any) -> NoReturn:
        """Raises NotImplementedError, as redis-py does: `explain` says the same."""
        raise NotImplementedError("EXPLAINCLI is for terminals: call explain")

    def aggregate(self, query: AggregateRequest | Cursor, query_params: Mapping[str, Any] | None = None) -> Any:
        """FT.AGGREGATE (since 1.1): rows that a request makes of documents, or the next ones of a cursor (`AggregateResult`).

        Raises ValueError for anything else.
        """
        if isinstance(query, AggregateRequest):
            words = ["FT.AGGREGATE", self.index_name, *query.build_args()]
        elif isinstance(query, Cursor):
            words = ["FT.CURSOR", "READ", self.index_name, *query.build_args()]
        else:
            raise ValueError(f"expected an AggregateRequest or a Cursor, not {type(query).__name__}")  # noqa: TRY004
        return self.execute_command(*words, *parameters(query_params), _read=self._read("FT.AGGREGATE", query))

    def profile(
        self, query: Query | AggregateRequest, limited: bool = False, query_params: Mapping[str, Any] | None = None
    ) -> Any:
        """FT.PROFILE (since 2.2): the result of a query, and how it was carried out (`ProfileInformation`).

        limited: without details of the readers.

        Raises ValueError for what is not a query.
        """
        if isinstance(query, AggregateRequest):
            kind, words = "AGGREGATE", query.build_args()
        elif isinstance(query, Query):
            kind, words = "SEARCH", query.get_args() + parameters(query_params)
        else:
            raise ValueError(f"expected a Query or an AggregateRequest, not {type(query).__name__}")  # noqa: TRY004
        words = [kind, *(["LIMITED"] if limited else []), "QUERY", *words]
        return self.execute_command("FT.PROFILE", self.index_name, *words, _read=self._read("FT.PROFILE", query))

    def spellcheck(self, query: str, distance: int | None = None, include: str | None = None, exclude: str | None = None) -> Any:
        """FT.SPELLCHECK (since 1.4): for each unknown word of a query those that are near it.

        distance: how many letters may differ. include, exclude: dictionaries of more words, and of words that are right.
        """
        words = ["DISTANCE", distance] if distance else []
        words += ["TERMS", "INCLUDE", include] if include else []
        words += ["TERMS", "EXCLUDE", exclude] if exclude else []
        return self.execute_command("FT.SPELLCHECK", self.index_name, query, *words, _read=self._read("FT.SPELLCHECK"))

    def dict_add(self, name: str, *terms: str) -> Any:
        """FT.DICTADD (since 1.4): adds words to a dictionary; returns how many are new."""
        return self.execute_command("FT.DICTADD", name, *terms)

    def dict_del(self, name: str, *terms: str) -> Any:
        """FT.DICTDEL (since 1.4): removes words from a dictionary; returns how many were there."""
        return self.execute_command("FT.DICTDEL", name, *terms)

    def dict_dump(self, name: str) -> Any:
        """FT.DICTDUMP (since 1.4): the words of a dictionary."""
        return self.execute_command("FT.DICTDUMP", name)

    def config_set(self, option: str, value: Any) -> Any:
        """FT.CONFIG SET (since 1.0, deprecated since Redis 8): True if replies are decoded and it is OK, as in redis-py."""
        return self.execute_command("FT.CONFIG", "SET", option, value, _read=lambda reply: reply == "OK")

    def config_get(self, option: str) -> Any:
        """FT.CONFIG GET (since 1.0, deprecated since Redis 8): options by their names."""
        return self.execute_command("FT.CONFIG", "GET", option, _read=self._read("FT.CONFIG"))

    def tagvals(self, tagfield: str) -> Any:
        """FT.TAGVALS (since 1.0): all values of a field of tags."""
        return self.execute_command("FT.TAGVALS", self.index_name, tagfield)

    def aliasadd(self, alias: str) -> Any:
        """FT.ALIASADD (since 1.0): gives the index another name."""
        return self.execute_command("FT.ALIASADD", alias, self.index_name)

    def aliasupdate(self, alias: str) -> Any:
        """FT.ALIASUPDATE (since 1.0): gives the index another name, and takes it from the one that has it."""
        return self.execute_command("FT.ALIASUPDATE", alias, self.index_name)

    def aliasdel(self, alias: str) -> Any:
        """FT.ALIASDEL (since 1.0): takes a name away."""
        return self.execute_command("FT.ALIASDEL", alias)

    def aliaslist(self) -> Any:
        """FT.ALIASLIST (newest servers): the other names of the index."""
        return self.execute_command("FT.ALIASLIST", self.index_name, _read=self._read("FT.ALIASLIST"))

    def sugadd(self, key: Any, *suggestions: Suggestion, **kwargs: Any) -> Any:
        """FT.SUGADD (since 1.0) for each suggestion: adds it for completions; returns how many there are then.

        increment: adds to the scores of those that are there.
        """
        return self._suggested(key, suggestions, kwargs).execute()[-1]

    def _suggested(self, key: Any, suggestions: Iterable[Suggestion], options: dict[str, Any]) -> Any:
        pipe = self.client.pipeline(transaction=False)
        for one in suggestions:
            words = ["INCR"] if options.get("increment") else []
            words += ["PAYLOAD", one.payload] if one.payload else []
            pipe.execute_command("FT.SUGADD", key, one.string, one.score, *words)
        return pipe

    def suglen(self, key: Any) -> Any:
        """FT.SUGLEN (since 1.0): the number of suggestions."""
        return self.execute_command("FT.SUGLEN", key)

    def sugdel(self, key: Any, string: str) -> Any:
        """FT.SUGDEL (since 1.0): removes a suggestion; returns 1 if it was there."""
        return self.execute_command("FT.SUGDEL", key, string)

    def sugget(
        self,
        key: Any,
        prefix: str,
        fuzzy: bool = False,
        num: int = 10,
        with_scores: bool = False,
        with_payloads: bool = False,
    ) -> Any:
        """FT.SUGGET (since 1.0): up to `num` completions of a prefix (`Suggestion`). fuzzy: one letter may differ."""
        flags = {"FUZZY": fuzzy, "WITHSCORES": with_scores, "WITHPAYLOADS": with_payloads}
        words = ["MAX", num, *(word for word, given in flags.items() if given)]
        return self.execute_command(
            "FT.SUGGET", key, prefix, *words, _read=lambda reply: list(SuggestionParser(with_scores, with_payloads, reply))
        )

    def synupdate(self, groupid: str, skipinitial: bool = False, *terms: str) -> Any:
        """FT.SYNUPDATE (since 1.2): adds words to a group of synonyms. skipinitial: for documents of later only."""
        words = ["SKIPINITIALSCAN"] if skipinitial else []
        return self.execute_command("FT.SYNUPDATE", self.index_name, groupid, *words, *terms)

    def syndump(self) -> Any:
        """FT.SYNDUMP (since 1.2): for each word its groups of synonyms."""
        return self.execute_command("FT.SYNDUMP", self.index_name, _read=self._read("FT.SYNDUMP"))


def loaded(id: Any, fields: Mapping[Any, Any], encodings: dict[Any, str | None] | None) -> Document:
    """The document of a hash's fields."""
    made = decoded(dict(fields), encodings)
    made.pop("id", None)
    return Document(id, **made)


class Search(Module, SearchCommands):
    """`client.ft(index_name)`: an index."""

    METHODS = SearchCommands
    TABLE = Table(
        both={
            **dict.fromkeys(("FT.DICTDUMP", "FT.TAGVALS"), as_list),
            **dict.fromkeys(
                (
                    "FT.AGGREGATE FT.ALIASLIST FT.CONFIG FT.CURSOR FT.HYBRID FT.INFO FT.PROFILE FT.SEARCH FT.SPELLCHECK FT.SUGGET"
                    " FT.SYNDUMP"
                ).split(),
                read_by,
            ),
        }
    )

    def __init__(self, client: Any, index_name: Any = "idx") -> None:
        self.index_name = index_name
        super().__init__(client)

    def pipeline(self, transaction: bool = True, shard_hint: object = None) -> Any:
        """A pipeline with the methods of this index as its own. Replies are converted as the client's are."""
        pipe = super().pipeline(transaction, shard_hint)
        pipe.index_name = self.index_name
        pipe.client = pipe
        return pipe


class AsyncSearch(Search):
    """`client.ft(index_name)` of an asyncio client. What takes more than one step is awaited here."""

    async def load_document(self, id: Any, field_encodings: dict[Any, str | None] | None = None) -> Document:
        """The document of a hash."""
        return loaded(id, await self.client.hgetall(id), field_encodings)

    async def sugadd(self, key: Any, *suggestions: Suggestion, **kwargs: Any) -> Any:
        """FT.SUGADD (since 1.0) for each suggestion: adds it for completions; returns how many there are then."""
        return (await self._suggested(key, suggestions, kwargs).execute())[-1]
