"""The replies of forms: their types in Java and how they are read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from codegen.redis.java.source import PACKAGE, wrapped


@dataclass(frozen=True)
class Fixed:
    """A reply of one type. `reading` is an expression; `short`: what the documentation says if the form says nothing."""

    type: str
    reading: str
    short: str = ""


@dataclass(frozen=True)
class Shape:
    """A reply that holds texts: its class in Texts.java, its type with V for texts and K for keys, and how it is read."""

    name: str
    type: str
    read: str
    says: str

    @property
    def letters(self) -> str:
        """The type variables of its class."""
        return "K, V" if re.search(r"\bK\b", self.type) else "V"


ANY_MAP = "map -> Replies.map(map, Text.STRING, Reading.ANY)"

FIXED = {
    "ok": Fixed("Void", "Replies::ok", "nothing: a failure is thrown"),
    "ok?": Fixed("Boolean", "Replies::isOk"),
    "bool": Fixed("Boolean", "Reading.BOOLEAN"),
    "int": Fixed("Long", "Reading.LONG"),
    "int?": Fixed("OptionalLong", "Replies::optionalLong"),
    "double": Fixed("Double", "Reading.DOUBLE"),
    "double?": Fixed("OptionalDouble", "Replies::optionalDouble"),
    "string": Fixed("String", "Text.STRING"),
    "string?": Fixed("Optional<String>", "in -> Replies.optional(in, Text.STRING)"),
    "bytes": Fixed("byte[]", "Text.BYTES"),
    "bytes?": Fixed("Optional<byte[]>", "in -> Replies.optional(in, Text.BYTES)"),
    "list<int>": Fixed("List<Long>", "in -> Replies.list(in, Reading.LONG)"),
    "list<double>": Fixed("List<Double>", "in -> Replies.list(in, Reading.DOUBLE)"),
    "list<double?>": Fixed("List<OptionalDouble>", "in -> Replies.list(in, Replies::optionalDouble)"),
    "list<bool>": Fixed("List<Boolean>", "in -> Replies.list(in, Reading.BOOLEAN)"),
    "list<string>": Fixed("List<String>", "in -> Replies.list(in, Text.STRING)"),
    "list<string?>": Fixed("List<Optional<String>>", "in -> Replies.optionals(in, Text.STRING)"),
    "list<any>": Fixed("List<Reply>", "in -> Replies.list(in, Reading.ANY)"),
    "list<any>?": Fixed("Optional<List<Reply>>", "in -> Replies.optionalList(in, Reading.ANY)"),
    "map<string,string>": Fixed("Map<String, String>", "in -> Replies.map(in, Text.STRING, Text.STRING)"),
    "map<string,int>": Fixed("Map<String, Long>", "in -> Replies.map(in, Text.STRING, Reading.LONG)"),
    "map<string,any>": Fixed("Map<String, Reply>", "in -> Replies.map(in, Text.STRING, Reading.ANY)"),
    "map<string,any>?": Fixed("Optional<Map<String, Reply>>", f"in -> Replies.optional(in, {ANY_MAP})"),
    "list<map<string,any>>": Fixed("List<Map<String, Reply>>", f"in -> Replies.list(in, {ANY_MAP})"),
    "fields": Fixed("Map<String, String>", "Replies::properties"),
    "client": Fixed("Map<String, String>", "Replies::connection"),
    "clients": Fixed("List<Map<String, String>>", "Replies::connections"),
    "seconds": Fixed("Instant", "Replies::seconds"),
    "micros": Fixed("Instant", "Replies::micros"),
    "matches": Fixed("LcsMatches", "LcsMatches::read"),
    "ranked?": Fixed("Optional<RankedScore>", "Replies::ranked"),
    "list<position?>": Fixed("List<Optional<GeoPosition>>", "in -> Replies.optionals(in, GeoPosition::read)"),
    "list<consumer>": Fixed("List<StreamConsumer>", "in -> Replies.list(in, StreamConsumer::read)"),
    "list<group>": Fixed("List<StreamGroup>", "in -> Replies.list(in, StreamGroup::read)"),
    "pendingsummary": Fixed("PendingSummary", "PendingSummary::read"),
    "list<pending>": Fixed("List<PendingEntry>", "in -> Replies.list(in, PendingEntry::read)"),
    "autoclaimedids": Fixed("AutoClaimed<String>", "AutoClaimed::ids"),
    "list<library>": Fixed("List<FunctionLibrary>", "in -> Replies.list(in, FunctionLibrary::read)"),
    "list<logged>": Fixed("List<LoggedCommand>", "in -> Replies.list(in, LoggedCommand::read)"),
    "list<sample>": Fixed("List<LatencySample>", "in -> Replies.list(in, LatencySample::read)"),
    "each<int>": Fixed("List<OptionalLong>", "in -> Matches.list(in, Replies::optionalLong)"),
    "each<double>": Fixed("List<OptionalDouble>", "Matches::doubles"),
    "each<bool>": Fixed("List<Optional<Boolean>>", "Matches::booleans"),
    "each<string>": Fixed("List<Optional<String>>", "in -> Matches.texts(in, Text.STRING)"),
    "each<keys>": Fixed("List<Optional<List<String>>>", "Matches::keys"),
    "chunk": Fixed("FilterChunk", "FilterChunk::read"),
    "bloominfo": Fixed("BloomInfo", "BloomInfo::read"),
    "cuckooinfo": Fixed("CuckooInfo", "CuckooInfo::read"),
    "cmsinfo": Fixed("CountMinSketchInfo", "CountMinSketchInfo::read"),
    "topkinfo": Fixed("TopKInfo", "TopKInfo::read"),
    "tdigestinfo": Fixed("TDigestInfo", "TDigestInfo::read"),
    "sample?": Fixed("Optional<Sample>", "Sample::last"),
    "list<measured>": Fixed("List<Sample>", "Sample::list"),
    "list<row>": Fixed("List<SeriesRow>", "SeriesRow::list"),
    "seriesinfo": Fixed("SeriesInfo", "SeriesInfo::read"),
    "map<latest>": Fixed("Map<String, SeriesLatest>", "SeriesLatest::byKey"),
    "map<series>": Fixed("Map<String, SeriesSamples>", "SeriesSamples::byKey"),
    "aggregated": Fixed("AggregateResult", "AggregateResult::read"),
    "hybrid": Fixed("HybridResult", "HybridResult::read"),
    "indexinfo": Fixed("IndexInfo", "IndexInfo::read"),
    "pairs": Fixed("Map<String, String>", "TextPairs::read"),
    "map<string,strings>": Fixed(
        "Map<String, List<String>>", "in -> Replies.map(in, Text.STRING, list -> Replies.list(list, Text.STRING))"
    ),
    "spelling": Fixed("Map<String, Map<String, Double>>", "Spelling::read"),
    "suggestions": Fixed("List<Suggestion>", "in -> Suggestion.list(in, words)"),
    "list<latency>": Fixed("List<LatencyEvent>", "in -> Replies.list(in, LatencyEvent::read)"),
}

SHAPES = {
    "text": Shape("OfText", "V", "text.read(in)", "a text"),
    "text?": Shape("OfOptional", "Optional<V>", "Replies.optional(in, text)", "a text, or none"),
    "list<text>": Shape("OfList", "List<V>", "Replies.list(in, text)", "texts"),
    "list<text>?": Shape("OfOptionalList", "Optional<List<V>>", "Replies.optionalList(in, text)", "texts, or none"),
    "list<text?>": Shape(
        "OfOptionals", "List<Optional<V>>", "Replies.optionals(in, text)", "texts, of which some may be missing"
    ),
    "each<text>": Shape("OfMatches", "List<Optional<V>>", "Matches.texts(in, text)", "a text for each match of a path, or none"),
    "counts": Shape("OfCounts", "Map<V, Long>", "Replies.map(in, text, Reading.LONG)", "texts with a number for each"),
    "found": Shape("OfFound", "SearchResult<V>", "SearchResult.read(in, text, words)", "the documents that a search found"),
    "set<text>": Shape("OfSet", "Set<V>", "Replies.set(in, text)", "texts that are all different"),
    "page<text>": Shape("OfPage", "ScanPage<V>", "Replies.page(in, list -> Replies.list(list, text))", "some texts of a scan"),
    "list<scored>": Shape("OfScores", "List<ScoredMember<V>>", "Replies.scores(in, text)", "members with their scores"),
    "scored?": Shape("OfScored", "Optional<ScoredMember<V>>", "Replies.scored(in, text)", "a member with its score, or none"),
    "page<scored>": Shape(
        "OfScoredPage",
        "ScanPage<ScoredMember<V>>",
        "Replies.page(in, list -> Replies.scores(list, text))",
        "some members of a scan",
    ),
    "places": Shape(
        "OfPlaces", "List<GeoMatch<V>>", "Replies.list(in, place -> GeoMatch.read(place, text))", "members of a search"
    ),
    "map<key,text>": Shape("OfMap", "Map<K, V>", "Replies.map(in, keys, text)", "fields and their values"),
    "list<field>": Shape("OfFields", "List<Field<K, V>>", "Replies.fields(in, keys, text)", "fields with their values"),
    "page<field>": Shape(
        "OfFieldPage",
        "ScanPage<Field<K, V>>",
        "Replies.page(in, list -> Replies.fields(list, keys, text))",
        "some fields of a scan",
    ),
    "popped?": Shape("OfPopped", "Optional<Popped<K, V>>", "Popped.read(in, keys, text)", "a key and an element, or none"),
    "keyedlist?": Shape(
        "OfPoppedList", "Optional<PoppedList<K, V>>", "PoppedList.read(in, keys, text)", "a key and elements, or none"
    ),
    "keyedmember?": Shape(
        "OfPoppedMember", "Optional<PoppedMember<K, V>>", "PoppedMember.read(in, keys, text)", "a key and a member, or none"
    ),
    "keyedscores?": Shape(
        "OfPoppedMembers", "Optional<PoppedMembers<K, V>>", "PoppedMembers.read(in, keys, text)", "a key and members, or none"
    ),
    "entries": Shape("OfEntries", "List<StreamEntry<K, V>>", "StreamEntry.list(in, keys, text)", "entries of a stream"),
    "streams": Shape(
        "OfStreams", "Map<K, List<StreamEntry<K, V>>>", "StreamEntry.streams(in, keys, text)", "entries of several streams"
    ),
    "autoclaimed": Shape(
        "OfAutoClaimed",
        "AutoClaimed<StreamEntry<K, V>>",
        "AutoClaimed.read(in, list -> StreamEntry.list(list, keys, text))",
        "entries that are claimed",
    ),
    "streaminfo": Shape(
        "OfStreamInfo", "StreamInfo<K, V>", "StreamInfo.read(in, keys, text)", "a stream with its first and last entry"
    ),
}


def with_strings(shape: Shape) -> str:
    """The type of a shape's class as factories return it: texts are strings."""
    return "String, String" if shape.letters == "K, V" else "String"


def texts() -> str:
    """The file Texts.java."""
    classes = []
    for shape in SHAPES.values():
        two = shape.letters == "K, V"
        letters, name = shape.letters, shape.name
        fields = ("        private final Text<K> keys;\n" if two else "") + "        private final Text<V> text;\n"
        given = "Text<K> keys, Text<V> text" if two else "Text<V> text"
        passed = "keys, text" if two else "text"
        both = f"""
        /** Returns the same command with other keys or fields, and other texts. */
        public <L, W> {name}<L, W> as(Text<L> keys, Text<W> text) {{
            return new {name}<>(facts, keys, text, words);
        }}
"""
        new = "K, W" if two else "W"
        args = "keys, text" if two else "text"
        classes.append(f"""    /** A command that returns {shape.says}. */
    public static final class {name}<{letters}> extends Command<{shape.type}> {{
{fields}
        {name}(Facts facts, {given}, Object... words) {{
            super(facts, words);
{"            this.keys = keys;" + chr(10) if two else ""}            this.text = text;
        }}

        /** Returns the same command with other texts. */
        public <W> {name}<{new}> as(Text<W> text) {{
            return new {name}<>(facts, {args}, words);
        }}
{both if two else ""}
        @Override
        public {shape.type} read(ReplyReader in) {{
{wrapped(f"            return {shape.read};")}
        }}
    }}
""")
        del passed
    body = "\n".join(classes)
    return f"""{PACKAGE}import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Commands whose replies hold texts: values, members, keys. They read them as {{@link Text#STRING}} until {{@code as}}
 * says otherwise.
 */
@CheckReturnValue
public final class Texts {{
    private Texts() {{ }}

{body}}}
"""
