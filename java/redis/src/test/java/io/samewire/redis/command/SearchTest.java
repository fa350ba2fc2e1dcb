package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.Utf8;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Search: what is sent is what redis-py sends, which adds {@code LIMIT 0 10} and {@code DIALECT 2}, and replies are
 * those of Redis Stack 7.4 (RediSearch 2.10).
 */
class SearchTest {
    private final Recorded server = Recorded.of("search");

    @Test
    void readsEveryRecordedReply() {
        makesIndexes();
        describesAnIndex();
        searches();
        explains();
        aggregates();
        checksSpelling();
        hasOtherCommands();
        assertEquals(Set.of("HSET", "JSON.SET", "FT.AGGREGATE"), Set.copyOf(
            server.left().stream().map(words -> words.split(" ")[0]).toList()), () -> server.left().toString());
    }

    private void makesIndexes() {
        server.value(Search.ftCreate("idx",
            IndexField.text("title").weight(2).phonetic("dm:en").sortable(),
            IndexField.text("body").weight(1).nostem().withsuffixtrie(),
            IndexField.numeric("n").noindex().sortable(),
            IndexField.numeric("m").as("em").indexmissing(),
            IndexField.tag("tags").separator(";").casesensitive().withsuffixtrie().indexempty(),
            IndexField.geo("at"),
            IndexField.geoshape("shape", "FLAT"),
            IndexField.vector("v", "HNSW", Sent.map("TYPE", "FLOAT32", "DIM", "2", "DISTANCE_METRIC", "L2")))
            .prefix("d:").score(1));
        server.value(Search.ftCreate("rich", IndexField.text("$.a").as("a").weight(1)).on(IndexedType.HASH)
            .prefix("none:").filter("@a != 'x'").languageField("l").language("german").scoreField("s").score(0.5)
            .payloadField("p").maxtextfields().temporary(Duration.ofSeconds(100)).nooffsets().nohl().nofields()
            .nofreqs().skipinitialscan().stopwords("the"));
        server.value(Search.ftCreate("j", IndexField.text("$.a").as("a").weight(1)).on(IndexedType.JSON).prefix("j:")
            .score(1).stopwords());
        server.refused(Search.ftCreate("idx", IndexField.text("a").weight(1)));
        server.value(Search.ftAlter("idx", IndexField.text("more").weight(1)));
        server.value(Search.ftAlter("idx", IndexField.text("more2").weight(1)));
    }

    private void describesAnIndex() {
        IndexInfo info = server.value(Search.ftInfo("idx"));
        assertEquals("idx", info.name());
        assertEquals("HASH", info.keyType());
        assertEquals(List.of("d:"), info.prefixes());
        assertEquals(List.of(2L, 7L, 12L, 0L),
            List.of(info.documents(), info.terms(), info.records(), info.failures()));
        assertFalse(info.isIndexing());
        assertEquals(1, info.share());
        assertEquals(10, info.fields().size());
        assertEquals(new IndexInfo.Attribute("title", "title", "TEXT", Map.of("WEIGHT", "2"), List.of("SORTABLE")),
            info.fields().get(0));
        assertEquals(new IndexInfo.Attribute("tags", "tags", "TAG", Map.of("SEPARATOR", ";"),
            List.of("CASESENSITIVE", "WITHSUFFIXTRIE", "INDEXEMPTY")), info.fields().get(4));
        assertEquals("em", info.fields().get(3).name());
        assertEquals("2", info.fields().get(7).options().get("dim"));
        server.refused(Search.ftInfo("nothing"));
    }

    private static FoundDocument<String> found(String id, String... fields) {
        Map<String, String> made = new java.util.LinkedHashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            made.put(fields[i], fields[i + 1]);
        }
        return new FoundDocument<>(id, OptionalDouble.empty(), Optional.empty(), made);
    }

    /** A search as redis-py sends it. */
    private static FtSearchCommand<String> asked(String index, String query) {
        return Search.ftSearch(index, query).dialect(2).limit(0, 10);
    }

    private void searches() {
        FoundDocument<String> one = found("d:1", "title", "hello world", "body", "hello there", "n", "1", "m", "5",
            "tags", "x", "id", "7");
        assertEquals(new SearchResult<>(1, List.of(one), List.of()), server.value(asked("idx", "world")));
        assertEquals(new SearchResult<>(0, List.of(), List.of()), server.value(asked("idx", "nothing")));
        assertEquals("{\"a\":\"json text\",\"n\":1}",
            server.value(asked("j", "text")).documents().get(0).fields().get("$"));
        assertEquals(List.of(found("d:1"), found("d:2")),
            server.value(asked("idx", "hello").nocontent()).documents());
        FoundDocument<String> scored = server.value(asked("idx", "world").withpayloads().withscores()
            .sortby("n", Order.ASC)).documents().get(0);
        assertEquals(OptionalDouble.of(2.6666666666666665), scored.score());
        assertEquals(Optional.empty(), scored.payload());
        assertEquals(one.fields(), scored.fields());
        assertEquals(List.of(one), server.value(asked("idx", "world").withpayloads()).documents());
        server.refused(Search.ftSearch("idx", "hello").infields("title", "body").verbatim().nostopwords()
            .filter("em", ScoreBound.exclusive(0), ScoreBound.of(10)).scorer("TFIDF").withscores()
            .inkeys("d:1", "d:2").slop(2).timeout(Duration.ofMillis(500)).inorder()
            .returning(ReturnedField.of("title"), ReturnedField.of("n"), ReturnedField.of("body").as("b"),
                ReturnedField.of("raw"))
            .sortby("n", Order.DESC).language("english").dialect(3)
            .summarize(Summary.fields("body").len(5).frags(1).separator(".."))
            .highlight(Highlight.fields("title").tags("<b>", "</b>")).limit(0, 5));
        byte[] raw = server.value(asked("idx", "again")
            .returning(ReturnedField.of("raw"), ReturnedField.of("title")).as(Text.BINARY))
            .documents().get(0).fields().get("raw").toByteArray();
        assertArrayEquals(new byte[] {(byte) 0xFF, (byte) 0xFE}, raw);
        assertEquals(1, server.value(asked("idx", "@em:[$a $b]").sortby("n", Order.ASC)
            .params(Sent.map("a", "5", "b", "5"))).total());
        assertEquals(0, server.value(asked("idx", "*").geofilter("at", 1, 2, 3, GeoUnit.KM)).total());
        assertEquals(0, server.value(asked("idx", "@@@")).total());
    }

    private void explains() {
        assertTrue(server.value(Search.ftExplain("idx", "hello world").dialect(2),
            "FT.EXPLAIN", "idx", "hello world", "DIALECT", "2", "LIMIT", "0", "10").startsWith("INTERSECT {"));
        assertTrue(server.value(Search.ftExplain("idx", "@em:[$a 5]").dialect(2).params(Map.of("a", "1")),
            "FT.EXPLAIN", "idx", "@em:[$a 5]", "DIALECT", "2", "LIMIT", "0", "10", "PARAMS", "2", "a", "1")
            .startsWith("NUMERIC {1.0"));
        assertEquals(6, server.value(Search.ftProfile("idx", ProfiledQuery.SEARCH, "world", "DIALECT", "2", "LIMIT",
            "0", "10").as(SearchTest::parts)));
        assertEquals(6, server.value(Search.ftProfile("idx", ProfiledQuery.SEARCH, "@em:[$a 5]", "WITHSCORES",
            "DIALECT", "2", "LIMIT", "0", "10", "PARAMS", "2", "a", "1").limited().as(SearchTest::parts)));
        assertEquals(6, server.value(Search.ftProfile("idx", ProfiledQuery.AGGREGATE, "world", "SCORER", "TFIDF",
            "LOAD", "1", "n", "DIALECT", "2").as(SearchTest::parts)));
    }

    /** RESP3 profiles a map, RESP2 an array of two: of either so much is known that it is read whole. */
    private static int parts(ReplyReader in) {
        in.skip();
        return 6;
    }

    private void aggregates() {
        AggregateResult all = server.value(Search.ftAggregate("idx", "world").scorer("TFIDF").loadAll().dialect(2));
        assertEquals("hello world", all.rows().get(0).get("title").text());
        assertEquals(7, all.rows().get(0).get("id").number());
        AggregateResult grouped = server.value(Search.ftAggregate("idx", "*").verbatim().scorer("BM25").addscores()
            .load("@n", "@title").dialect(2)
            .step(AggregationStep.groupby("@title", Reducer.count().as("c"), Reducer.sum("@n").as("n"),
                Reducer.avg("@n")))
            .step(AggregationStep.apply("@c * 2", "twice"))
            .step(AggregationStep.filter("@twice > 0"))
            .step(AggregationStep.sortbyMax(5, SortKey.of("@twice", Order.DESC), SortKey.of("@title")))
            .step(AggregationStep.limit(0, 10)));
        assertEquals(List.of("hello again", "hello world"),
            grouped.rows().stream().map(row -> row.get("title").text()).toList());
        assertEquals(2, grouped.total());
        assertEquals(2, grouped.rows().get(1).get("twice").number());
        AggregateResult first = server.value(Search.ftAggregate("idx", "*").scorer("TFIDF").withcursor().count(1)
            .maxidle(Duration.ofMillis(10_500)).load("n").dialect(2).step(AggregationStep.sortby(SortKey.of("@n"))));
        assertEquals(OptionalLong.of(1_381_769_864), first.cursor());
        assertEquals(1, first.rows().size());
        assertEquals(2, server.value(Search.ftAggregate("idx", "@em:[$a 9]").scorer("TFIDF").dialect(3)
            .step(AggregationStep.sortby(SortKey.of("@n"))).params(Map.of("a", "1"))).rows().size());
        server.refused(Search.ftCursorRead("idx", 77));
        Map<String, RowValue> reduced = server.value(Search.ftAggregate("idx", "world").scorer("TFIDF").dialect(2)
            .step(AggregationStep.groupby(List.of(), Reducer.firstValue("@n", "@n", Order.ASC),
                Reducer.randomSample("@n", 2), Reducer.quantile("@n", 0.5), Reducer.tolist("@n"),
                Reducer.countDistinct("@n"), Reducer.of("COUNT_DISTINCTISH", "@n"), Reducer.stddev("@n"),
                Reducer.min("@n"), Reducer.max("@n")))).rows().get(0);
        RowValue list = reduced.get("__generated_aliastolistn");
        assertTrue(list.isList());
        assertEquals(List.of("1"), list.texts());
        assertThrows(SamewireException.class, list::text);
        assertThrows(SamewireException.class, () -> all.rows().get(0).get("title").number());
    }

    private void checksSpelling() {
        assertEquals(1, server.value(Search.ftDictadd("dic", "wurld")));
        assertEquals(Set.of("wurld"), server.value(Search.ftDictdump("dic")));
        assertEquals(Map.of("wrld", Map.of("world", 0.5), "helo", Map.of("hello", 1.0)),
            server.value(Search.ftSpellcheck("idx", "wrld helo")));
        assertEquals(Map.of("wrld", Map.of("world", 0.5, "wurld", 0.0)), server.value(
            Search.ftSpellcheck("idx", "wrld hello").distance(2).terms(DictionaryUse.INCLUDE, "dic")));
        assertEquals(Map.of(),
            server.value(Search.ftSpellcheck("idx", "wurld").terms(DictionaryUse.EXCLUDE, "dic")));
        assertEquals(1, server.value(Search.ftDictdel("dic", "wurld", "x")));
    }

    private void hasOtherCommands() {
        server.value(Search.ftConfigSet("TIMEOUT", "500"));
        assertEquals(Map.of("TIMEOUT", "500"), server.value(Search.ftConfigGet("TIMEOUT")));
        assertEquals(Map.of(), server.value(Search.ftConfigGet("nothing")));
        assertEquals(Set.of("x"), server.value(Search.ftTagvals("idx", "tags")));
        server.value(Search.ftAliasadd("other", "idx"));
        server.value(Search.ftAliasupdate("other", "idx"));
        server.value(Search.ftAliasdel("other"));
        server.refused(Search.ftAliaslist("idx"));
        server.value(Search.ftSynupdate("idx", "g", "boy"));
        server.value(Search.ftSynupdate("idx", "g", "child").skipinitialscan());
        assertEquals(Map.of("child", List.of("g"), "boy", List.of("g")), server.value(Search.ftSyndump("idx")));
        assertEquals(0, server.value(Search.ftSuglen("sug")));
        assertEquals(List.of(), server.value(Search.ftSugget("sug", "he").max(10)));
        assertFalse(server.value(Search.ftSugdel("sug", "x")));
        server.value(Search.ftDropindex("idx").dd());
        server.value(Search.ftDropindex("j"));
    }

    private static <T> T read(Command<T> command, String reply) {
        byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
        return command.read(new ReplyReader(Limits.DEFAULT, Utf8.STRICT).reset(bytes, 0, bytes.length));
    }

    @Test
    void readsSuggestionsByTheCommandsOptions() {
        assertEquals(List.of(new Suggestion("hello", OptionalDouble.of(2.5), Optional.of("p")),
            new Suggestion("help", OptionalDouble.of(1), Optional.empty())),
            read(Search.ftSugget("sug", "he").fuzzy().withscores().withpayloads(),
                "*6\r\n$5\r\nhello\r\n$3\r\n2.5\r\n$1\r\np\r\n$4\r\nhelp\r\n,1\r\n_\r\n"));
        assertThrows(SamewireException.class,
            () -> read(Search.ftSugget("sug", "he").withscores(), "*1\r\n$5\r\nhello\r\n"));
        assertEquals(List.of("FT.SUGADD", "sug", "hello", "2.5", "INCR", "PAYLOAD", "p"),
            Sent.words(Search.ftSugadd("sug", "hello", 2.5).incr().payload("p")));
    }

    @Test
    void theLastRowsHaveNoCursor() {
        AggregateResult end = read(Search.ftCursorRead("idx", 5), "*2\r\n*2\r\n:1\r\n*2\r\n$1\r\na\r\n$-1\r\n:0\r\n");
        assertEquals(OptionalLong.empty(), end.cursor());
        assertEquals(List.of(Map.of()), end.rows());
    }

    @Test
    void refusesDocumentsOfAnotherShape() {
        SamewireException failure = assertThrows(SamewireException.class,
            () -> read(Search.ftSearch("idx", "*"), "*2\r\n:1\r\n$1\r\na\r\n"));
        assertTrue(failure.getMessage().contains("expected 2 elements for each document"), failure::getMessage);
        // A text of the caller's is not taken for an option.
        assertEquals(1, read(Search.ftSearch("idx", "NOCONTENT"), "*3\r\n:1\r\n$1\r\na\r\n*0\r\n").documents().size());
    }

    /** The words that redis-py sends for the same query, and the reply of Redis 8.4 by its documentation. */
    @Test
    void findsByWordsAndVectorsTogether() {
        Command<HybridResult> asked = Search.ftHybrid("idx", HybridText.of("hello").scorer("TFIDF").yieldScoreAs("s"),
                HybridVector.of("@v", "$v").knn(5).filter("@n:[1 2]").yieldScoreAs("d"))
            .combine(ScoreFusion.linear(0.5, 0.25).window(40).yieldScoreAs("h")).load("@a", "AS", "b", "@raw")
            .step(AggregationStep.apply("@n+1", "x")).step(AggregationStep.sortby(SortKey.of("@x", Order.DESC)))
            .step(AggregationStep.filter("@x > 1")).step(AggregationStep.limit(0, 5))
            .params(Map.of("v", Bytes.of(new byte[] {(byte) 0xFF}))).timeout(Duration.ofMillis(10));
        assertEquals(List.of("FT.HYBRID", "idx", "SEARCH", "hello", "SCORER", "TFIDF", "YIELD_SCORE_AS", "s",
            "VSIM", "@v", "$v", "KNN", "2", "K", "5", "FILTER", "@n:[1 2]", "YIELD_SCORE_AS", "d",
            "COMBINE", "LINEAR", "8", "ALPHA", "0.5", "BETA", "0.25", "WINDOW", "40", "YIELD_SCORE_AS", "h",
            "LOAD", "4", "@a", "AS", "b", "@raw", "APPLY", "@n+1", "AS", "x", "SORTBY", "2", "@x", "DESC",
            "FILTER", "@x > 1", "LIMIT", "0", "5", "PARAMS", "2", "v", "\u00FF", "TIMEOUT", "10"), Sent.words(asked));
        assertEquals(List.of("FT.HYBRID", "idx", "SEARCH", "a", "VSIM", "@v", "$v", "KNN", "4", "K", "20",
            "EF_RUNTIME", "200", "COMBINE", "RRF", "4", "CONSTANT", "80", "WINDOW", "50", "LOAD", "*", "NOSORT"),
            Sent.words(Search.ftHybrid("idx", HybridText.of("a"), HybridVector.of("@v", "$v").knn(20, 200)).loadAll()
                .nosort().combine(ScoreFusion.rrf(80).window(50))));
        assertEquals(List.of("FT.HYBRID", "idx", "SEARCH", "a", "VSIM", "@v", "$v", "RANGE", "4", "RADIUS", "0.8",
            "EPSILON", "0.1", "COMBINE", "RRF", "0"),
            Sent.words(Search.ftHybrid("idx", HybridText.of("a"), HybridVector.of("@v", "$v").knn(5).range(0.8, 0.1))
                .combine(ScoreFusion.rrf())));
        assertTrue(asked.readOnly() && asked.repeatable());
        assertEquals(-1, asked.slot());
        String parts = "$13\r\ntotal_results\r\n:1\r\n$7\r\nresults\r\n*1\r\n%s$1\r\nb\r\n$1\r\nx\r\n"
            + "$3\r\nraw\r\n$-1\r\n$8\r\nwarnings\r\n*1\r\n$4\r\nlate\r\n$14\r\nexecution_time\r\n";
        HybridResult found = read(asked, "%4\r\n" + parts.formatted("%2\r\n") + ",1.5\r\n");
        assertEquals(new HybridResult(1, List.of(Map.of("b", new RowValue(List.of(Bytes.of(new byte[] {'x'})), false))),
            1.5, List.of("late")), found);
        assertEquals(found, read(asked, "*8\r\n" + parts.formatted("*4\r\n") + "$3\r\n1.5\r\n"));
        assertThrows(SamewireException.class, () -> read(asked, "%1\r\n$13\r\ntotal_results\r\n:1\r\n"));
        assertThrows(SamewireException.class, () -> read(asked, "_\r\n"));
    }

    @Test
    void hasNoKeysButForSuggestions() {
        assertEquals(-1, Search.ftSearch("idx", "*").slot());
        assertEquals(KeySlot.of("sug"), Search.ftSugget("sug", "a").slot());
        assertTrue(Search.ftSearch("idx", "*").readOnly() && Search.ftAggregate("idx", "*").repeatable());
        assertFalse(Search.ftCursorRead("idx", 1).repeatable() || Search.ftSugadd("sug", "a", 1).readOnly());
    }
}
