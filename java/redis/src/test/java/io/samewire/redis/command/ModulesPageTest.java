package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lines of {@code docs/redis-java.md}'s section on modules. */
class ModulesPageTest {
    private static void sends(Command<?> command, String words) {
        assertEquals(List.of(words.split(" ")), Sent.words(command));
    }

    @Test
    void documents() {
        assertEquals(List.of("JSON.SET", "user:1", "$", "{\"visits\": 1}", "NX"),
            Sent.words(Json.jsonSet("user:1", "$", "{\"visits\": 1}").condition(Condition.NX)));
        sends(Json.jsonGet("user:1", "$.visits").as(Text.BYTES), "JSON.GET user:1 $.visits");
        sends(Json.jsonNumincrby("user:1", "$.visits", 1), "JSON.NUMINCRBY user:1 $.visits 1");
    }

    @Test
    void indexes() {
        sends(Search.ftCreate("users", IndexField.numeric("$.visits").as("visits").sortable()).on(IndexedType.JSON)
            .prefix("user:"), "FT.CREATE users ON JSON PREFIX 1 user: SCHEMA $.visits AS visits NUMERIC SORTABLE");
        assertEquals(List.of("FT.SEARCH", "users", "@visits:[1 5]", "DIALECT", "2"),
            Sent.words(Search.ftSearch("users", "@visits:[1 5]").dialect(2)));
        sends(Search.ftHybrid("users", HybridText.of("ann"), HybridVector.of("@face", "$v"))
            .params(Map.of("v", "face")), "FT.HYBRID users SEARCH ann VSIM @face $v PARAMS 2 v face");
        sends(Search.ftAggregate("users", "*")
            .step(AggregationStep.groupby("@visits", Reducer.count().as("users"))).withcursor().count(100),
            "FT.AGGREGATE users * WITHCURSOR COUNT 100 GROUPBY 1 @visits REDUCE COUNT 0 AS users");
        sends(Search.ftCursorRead("users", 5), "FT.CURSOR READ users 5");
    }

    @Test
    void seriesAndFilters() {
        sends(TimeSeries.tsAdd("room:1", Instant.ofEpochSecond(5), 21.5).retention(Duration.ofDays(7)),
            "TS.ADD room:1 5000 21.5 RETENTION 604800000");
        sends(TimeSeries.tsRange("room:1", TimeBound.FIRST, TimeBound.LAST)
            .aggregation(Aggregator.AVG, Duration.ofHours(1)), "TS.RANGE room:1 - + AGGREGATION AVG 3600000");
        sends(Bloom.bfReserve("seen", 0.01, 1_000), "BF.RESERVE seen 0.01 1000");
        sends(Bloom.bfAdd("seen", "a"), "BF.ADD seen a");
        sends(Bloom.bfExists("seen", "a"), "BF.EXISTS seen a");
    }
}
