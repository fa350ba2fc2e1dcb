package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Time series: what is sent is what redis-py sends, and replies are those of Redis Stack 7.4 (1.12). */
class TimeSeriesTest {
    private static final TimeBound FROM = TimeBound.of(0);
    private static final TimeBound TO = TimeBound.of(9_000);
    private static final List<Sample> FIRST =
        List.of(new Sample(1_000, 2.5), new Sample(2_000, 2), new Sample(3_000, 7), new Sample(4_000, 8),
            new Sample(5_000, 6.5));
    private static final Sample OTHER = new Sample(2_000, 3.25);

    private final Recorded server = Recorded.of("series");

    @Test
    void readsEveryRecordedReply() {
        makesSeries();
        addsSamples();
        readsOneSeries();
        readsSeveralSeries();
        refusesWhatIsNewer();
        assertEquals(List.of("TS.RANGE {s}1 - + AGGREGATION min,max 2000",
            "TS.MRANGE 0 9000 AGGREGATION avg,MAX 2000 FILTER a=1"), server.left());
    }

    private void makesSeries() {
        server.value(TimeSeries.tsCreate("{s}1"));
        server.value(TimeSeries.tsCreate("{s}2").retention(0).encoding(SampleEncoding.UNCOMPRESSED).chunkSize(128)
            .duplicatePolicy(DuplicatePolicy.LAST).labels(Sent.map("a", "1", "b", "x")));
        server.value(TimeSeries.tsCreate("{s}3").retention(Duration.ofSeconds(5)).ignore(Duration.ofMillis(5), 0.5));
        server.refused(TimeSeries.tsCreate("{s}1"));
        server.value(TimeSeries.tsCreate("{s}5").labels(Map.of("a", "2")));
        server.value(TimeSeries.tsAlter("{s}1").retention(Duration.ZERO).chunkSize(256)
            .duplicatePolicy(DuplicatePolicy.MAX).labels(Map.of("a", "1")));
        assertEquals(Optional.empty(), server.value(TimeSeries.tsGet("{s}1")));
        assertEquals(List.of(), server.value(TimeSeries.tsRange("{s}1", TimeBound.FIRST, TimeBound.LAST)));
    }

    private void addsSamples() {
        assertEquals(1_000, server.value(TimeSeries.tsAdd("{s}1", 1_000, 1.5)));
        assertEquals(1_000, server.value(
            TimeSeries.tsAdd("{s}1", Instant.ofEpochSecond(1), 2.5).onDuplicate(DuplicatePolicy.SUM)));
        assertEquals(1_000, server.value(TimeSeries.tsAdd("{s}6", 1_000, 1).retention(0)
            .encoding(SampleEncoding.UNCOMPRESSED).duplicatePolicy(DuplicatePolicy.BLOCK).labels(Map.of("c", "1"))));
        server.refused(TimeSeries.tsAdd("{s}6", 1_000, 1));
        assertEquals("[2000, 2000, 3000]", server.value(TimeSeries.tsMadd(NewSample.of("{s}1", 2_000, 2),
            NewSample.of("{s}2", Instant.ofEpochSecond(2), 3.25), NewSample.of("{s}1", 3_000, 7))
            .map(String::valueOf)));
        assertEquals(4_000, server.value(TimeSeries.tsIncrby("{s}1", 1).timestamp(4_000)));
        assertEquals(4_000, server.value(TimeSeries.tsIncrby("{s}7", 1.5).timestamp(Instant.ofEpochSecond(4))
            .retention(0).encoding(SampleEncoding.UNCOMPRESSED).chunkSize(128).duplicatePolicy(DuplicatePolicy.FIRST)
            .labels(Map.of("d", "1"))));
        assertEquals(5_000, server.value(TimeSeries.tsDecrby("{s}1", 1.5).timestamp(5_000)));
        server.value(TimeSeries.tsCreaterule("{s}1", "{s}3", Aggregator.AVG, Duration.ofSeconds(1)));
        server.value(TimeSeries.tsCreaterule("{s}1", "{s}5", Aggregator.SUM, 1_000, 10));
    }

    private void readsOneSeries() {
        SeriesInfo info = server.value(TimeSeries.tsInfo("{s}1"));
        assertEquals(5, info.totalSamples());
        assertEquals(5_000, info.lastTimestamp());
        assertEquals("compressed", info.chunkType());
        assertEquals(Optional.of("max"), info.duplicatePolicy());
        assertEquals(Map.of("a", "1"), info.labels());
        assertEquals(Optional.empty(), info.sourceKey());
        assertEquals(List.of(new SeriesInfo.Rule("{s}3", Duration.ofSeconds(1), "AVG", 0),
            new SeriesInfo.Rule("{s}5", Duration.ofSeconds(1), "SUM", 10)), info.rules());
        assertEquals(Map.of("a", "1", "b", "x"), server.value(TimeSeries.tsInfo("{s}2")).labels());
        server.refused(TimeSeries.tsInfo("nothing"));
        server.value(TimeSeries.tsDeleterule("{s}1", "{s}3"));
        assertEquals(Optional.of(new Sample(5_000, 6.5)), server.value(TimeSeries.tsGet("{s}1")));
        assertEquals(Instant.ofEpochSecond(5), server.value(TimeSeries.tsGet("{s}1").latest()).orElseThrow().time());
        assertEquals(FIRST, server.value(TimeSeries.tsRange("{s}1", FROM, TO)));
        server.refused(TimeSeries.tsRange("{s}1", TimeBound.FIRST, TimeBound.LAST).filterByTs(1_000, 2_000, 3_000)
            .filterByValue(0, 100).count(2).align(TimeBound.FIRST).aggregation(Aggregator.AVG, 2_000)
            .buckettimestamp(BucketPlace.MIDDLE).empty());
        assertEquals(FIRST, server.value(TimeSeries.tsRange("{s}1", TimeBound.FIRST, TimeBound.LAST).latest()));
        assertEquals(List.of(FIRST.get(4), FIRST.get(3)),
            server.value(TimeSeries.tsRevrange("{s}1", FROM, TO).count(2)));
        List<Sample> counted = server.value(TimeSeries.tsRevrange("{s}1", TimeBound.FIRST, TimeBound.LAST)
            .align(TimeBound.of(Instant.ofEpochMilli(3))).aggregation(Aggregator.COUNT, Duration.ofMillis(10)).empty());
        assertEquals(401, counted.size());
        assertEquals(new Sample(4_993, 1), counted.get(0));
    }

    private static SeriesSamples samples(Map<String, String> labels, Sample... samples) {
        return new SeriesSamples(labels, Optional.empty(), List.of(), List.of(samples));
    }

    private void readsSeveralSeries() {
        Map<String, SeriesSamples> all =
            Map.of("{s}1", samples(Map.of(), FIRST.toArray(Sample[]::new)), "{s}2", samples(Map.of(), OTHER));
        assertEquals(all, server.value(TimeSeries.tsMrange(FROM, TO, "a=1")));
        assertEquals(Map.of("{s}1", samples(Map.of("a", "1"), FIRST.get(0), FIRST.get(1)),
            "{s}2", samples(Map.of("a", "1", "b", "x"), OTHER), "{s}5", samples(Map.of("a", "2"))),
            server.value(TimeSeries.tsMrange(FROM, TO, "a=(1,2)").withlabels().count(2)));
        Map<String, SeriesSamples> selected = server.value(
            TimeSeries.tsMrange(FROM, TO, "a=1").selectedLabels("b").aggregation(Aggregator.AVG, 2_000));
        assertEquals(Map.of(), selected.get("{s}1").labels());
        assertEquals(Map.of("b", "x"), selected.get("{s}2").labels());
        assertEquals(new Sample(4_000, 7.25), selected.get("{s}1").samples().get(2));
        SeriesSamples group = server.value(
            TimeSeries.tsMrange(FROM, TO, List.of("a=1")).withlabels().groupby("a", Aggregator.SUM)).get("a=1");
        assertEquals(Map.of("a", "1"), group.labels());
        assertEquals(Optional.of("sum"), group.reducer());
        assertEquals(List.of("{s}1", "{s}2"), group.sources());
        assertEquals(new Sample(2_000, 5.25), group.samples().get(1));
        assertEquals(all, server.value(TimeSeries.tsMrange(FROM, TO, "a=1").excludeempty()));
        assertEquals(Map.of(), server.value(TimeSeries.tsMrange(FROM, TO, "a=nothing")));
        assertEquals(Map.of("{s}1", samples(Map.of("a", "1"), FIRST.get(1)),
            "{s}2", samples(Map.of("a", "1", "b", "x"), OTHER)),
            server.value(TimeSeries.tsMrevrange(FROM, TO, "a=1").latest().filterByTs(2_000).filterByValue(0, 9)
                .withlabels().count(1)));
        assertEquals(Map.of("{s}1", samples(Map.of(), new Sample(6_000, 7.375), new Sample(3_000, 3.375)),
            "{s}2", samples(Map.of(), new Sample(3_000, 3.25))),
            server.value(TimeSeries.tsMrevrange(FROM, TO, "a=1").aggregation(Aggregator.TWA, 3_000)
                .buckettimestamp(BucketPlace.END)));
        readsLastSamples();
    }

    private void readsLastSamples() {
        SeriesLatest last = new SeriesLatest(Map.of(), Optional.of(FIRST.get(4)));
        assertEquals(Map.of("{s}1", last, "{s}2", new SeriesLatest(Map.of(), Optional.of(OTHER))),
            server.value(TimeSeries.tsMget("a=1")));
        assertEquals(new SeriesLatest(Map.of("a", "2"), Optional.empty()),
            server.value(TimeSeries.tsMget("a=(1,2)").latest().withlabels()).get("{s}5"));
        assertEquals(Map.of("a", "1"),
            server.value(TimeSeries.tsMget("a=1").selectedLabels("b", "a")).get("{s}1").labels());
        assertEquals(Set.of("{s}5"), server.value(TimeSeries.tsQueryindex("a=2")));
        assertEquals(2, server.value(TimeSeries.tsDel("{s}1", TimeBound.of(1_000), TimeBound.of(2_000))));
    }

    private void refusesWhatIsNewer() {
        server.refused(TimeSeries.tsRead("{s}1", 5).block(100, 2).maxCount(3));
        server.refused(TimeSeries.tsQuerylabels());
        server.refused(TimeSeries.tsQuerylabelsValues("a").filter("b=1"));
        server.refused(TimeSeries.tsNrange(List.of("{s}1", "{s}2"), TimeBound.of(0), TimeBound.of(9)).count(1)
            .aggregation(List.of("avg", "sum"), 10));
        server.refused(TimeSeries.tsNrevrange(List.of("{s}1"), TimeBound.of(0), TimeBound.of(9))
            .aggregation(List.of("avg"), Duration.ofMillis(10)).empty());
    }

    /** As the documentation of the command has them: the recorded server is older. */
    @Test
    void readsRowsOfSeveralSeries() {
        var command = TimeSeries.tsNrange(List.of("{s}1", "{s}2"), TimeBound.FIRST, TimeBound.LAST);
        List<SeriesRow> rows = List.of(new SeriesRow(1_000, List.of(10.0, 20.5)),
            new SeriesRow(2_000, List.of(12.0, Double.NaN)));
        for (String reply : List.of("*2\r\n*2\r\n:1000\r\n*2\r\n,10\r\n,20.5\r\n*2\r\n:2000\r\n*2\r\n,12\r\n,nan\r\n",
            "*2\r\n*2\r\n:1000\r\n*2\r\n+10\r\n+20.5\r\n*2\r\n:2000\r\n*2\r\n+12\r\n+NaN\r\n")) {
            assertEquals(rows, command.read(Recorded.reader(reply.getBytes(StandardCharsets.ISO_8859_1))));
        }
        assertTrue(Double.isNaN(TimeSeries.tsRange("k", FROM, TO).empty().read(Recorded.reader(
            "*1\r\n*2\r\n:1\r\n+NaN\r\n".getBytes(StandardCharsets.ISO_8859_1))).get(0).value()));
        assertEquals(List.of(Bytes.of("{s}1"), Bytes.of("{s}2")), command.keys());
        assertTrue(command.readOnly());
    }

    @Test
    void sendsTheServersTime() {
        assertEquals(List.of("TS.ADD", "k", "*", "1.5", "ON_DUPLICATE", "LAST"),
            Sent.words(TimeSeries.tsAdd("k", 1.5).onDuplicate(DuplicatePolicy.LAST)));
        assertEquals(List.of("TS.MADD", "k", "*", "1"), Sent.words(TimeSeries.tsMadd(NewSample.now("k", 1))));
        assertEquals(List.of("TS.CREATERULE", "a", "b", "AGGREGATION", "STD.P", "60000"),
            Sent.words(TimeSeries.tsCreaterule("a", "b", Aggregator.STD_P, Duration.ofMinutes(1))));
    }

    @Test
    void knowsKeysAndHowLongReadsWait() {
        assertEquals(1_500, TimeSeries.tsRead("BLOCK", 0).block(Duration.ofMillis(1_500), 1).blockingMillis());
        assertEquals(-1, TimeSeries.tsRead("BLOCK", 0).maxCount(5).blockingMillis());
        assertEquals(List.of(Bytes.of("a"), Bytes.of("b")),
            TimeSeries.tsMadd(NewSample.of("a", 1, 1), NewSample.of("b", 1, 1)).keys());
        assertEquals(List.of(Bytes.of("a"), Bytes.of("b")), TimeSeries.tsDeleterule("a", "b").keys());
        assertEquals(-1, TimeSeries.tsMget("a=1").slot());
        assertTrue(TimeSeries.tsMget("a=1").readOnly() && TimeSeries.tsGet("k").repeatable());
        assertFalse(TimeSeries.tsAdd("k", 1).readOnly() || TimeSeries.tsAdd("k", 1).repeatable());
    }
}
