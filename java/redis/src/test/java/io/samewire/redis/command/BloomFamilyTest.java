package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Filters and sketches: what is sent is what redis-py sends, and replies are those of Redis Stack 7.4 (2.8). */
class BloomFamilyTest {
    private final Recorded server = Recorded.of("bloom");

    @Test
    void readsEveryRecordedReply() {
        bloomFilters();
        cuckooFilters();
        sketches();
        mostFrequentItems();
        digests();
        assertEquals(List.of(), server.left());
    }

    private void bloomFilters() {
        server.value(Bloom.bfReserve("bf", 0.01, 1_000));
        server.value(Bloom.bfReserve("bf2", 0.001, 100).expansion(4));
        server.value(Bloom.bfReserve("bf3", 0.01, 10).nonscaling());
        server.refused(Bloom.bfReserve("bf", 0.01, 1_000));
        assertTrue(server.value(Bloom.bfAdd("bf", "a")));
        assertFalse(server.value(Bloom.bfAdd("bf", "a")));
        assertEquals(List.of(false, true, true), server.value(Bloom.bfMadd("bf", "a", "b", "3")));
        assertEquals(List.of(true, true), server.value(Bloom.bfInsert("bf4", "a", "b")));
        assertEquals(List.of(true),
            server.value(Bloom.bfInsert("bf5", List.of("a")).capacity(10).error(0.1).expansion(2)));
        server.refused(Bloom.bfInsert("bf6", "a").nocreate().nonscaling());
        assertTrue(server.value(Bloom.bfExists("bf", "a")));
        assertEquals(List.of(true, false), server.value(Bloom.bfMexists("bf", "a", "x")));
        assertEquals(new BloomInfo(1_000, 1_480, 1, 3, OptionalLong.of(2)), server.value(Bloom.bfInfo("bf")));
        server.refused(Bloom.bfInfo("nothing"));
        assertEquals(3, server.value(Bloom.bfCard("bf")));
        FilterChunk head = server.value(Bloom.bfScandump("bf3", 0));
        assertEquals(1, head.cursor());
        assertEquals(73, head.data().length());
        assertEquals(new FilterChunk(17, Bytes.of(new byte[16])), server.value(Bloom.bfScandump("bf3", 1)));
        server.refused(Bloom.bfLoadchunk("bf7", 1, Bytes.of(new byte[] {(byte) 0xFF, 0})));
    }

    private void cuckooFilters() {
        server.value(Cuckoo.cfReserve("cf", 1_000));
        server.value(Cuckoo.cfReserve("cf2", 100).expansion(2).bucketsize(4).maxiterations(10));
        assertTrue(server.value(Cuckoo.cfAdd("cf", "a")));
        assertFalse(server.value(Cuckoo.cfAddnx("cf", "a")));
        assertEquals(List.of(1L, 1L), server.value(Cuckoo.cfInsert("cf3", "a", "b").capacity(100)));
        server.refused(Cuckoo.cfInsert("cf4", "a").nocreate());
        assertEquals(List.of(0L, 1L), server.value(Cuckoo.cfInsertnx("cf3", "a", "c")));
        assertTrue(server.value(Cuckoo.cfExists("cf", "a")));
        assertEquals(List.of(true, false), server.value(Cuckoo.cfMexists("cf", "a", "x")));
        assertEquals(1, server.value(Cuckoo.cfCount("cf", "a")));
        assertTrue(server.value(Cuckoo.cfDel("cf", "a")));
        assertEquals(new CuckooInfo(1_080, 512, 1, 0, 1, 2, 1, 20), server.value(Cuckoo.cfInfo("cf")));
        server.refused(Cuckoo.cfScandump("nothing", 0));
        server.refused(Cuckoo.cfLoadchunk("cf5", 1, "x"));
    }

    private void sketches() {
        server.value(CountMinSketch.cmsInitbydim("{c}1", 100, 5));
        server.value(CountMinSketch.cmsInitbyprob("{c}2", 0.01, 0.01));
        server.value(CountMinSketch.cmsInitbydim("{c}3", 100, 5));
        assertEquals(List.of(1L, 2L), server.value(CountMinSketch.cmsIncrby("{c}1", Sent.map("a", 1L, "b", 2L))));
        assertEquals(List.of(1L, 2L, 0L), server.value(CountMinSketch.cmsQuery("{c}1", "a", "b", "x")));
        server.value(CountMinSketch.cmsMerge("{c}3", "{c}1"));
        server.value(CountMinSketch.cmsMerge("{c}3", Sent.map("{c}1", 2L, "{c}3", 3L)));
        assertEquals(new CountMinSketchInfo(100, 5, 3), server.value(CountMinSketch.cmsInfo("{c}1")));
    }

    private void mostFrequentItems() {
        server.value(TopK.topkReserve("t", 2, 50, 3, 0.9));
        assertEquals(List.of(Optional.empty(), Optional.empty(), Optional.of("a"), Optional.of("b"), Optional.of("3")),
            server.value(TopK.topkAdd("t", "a", "b", "3", "7", "a")));
        assertEquals(List.of(Optional.of("7"), Optional.of("a")),
            server.value(TopK.topkIncrby("t", Sent.map("42", 10L, "z", 20L))));
        assertEquals(List.of(true, false), server.value(TopK.topkQuery("t", "42", "x")));
        assertEquals(List.of(10L, 0L), server.value(TopK.topkCount("t", "42", "x")));
        assertEquals(List.of("z", "42"), server.value(TopK.topkList("t")));
        assertEquals(Map.of("z", 20L, "42", 10L), server.value(TopK.topkList("t").withcount()));
        assertEquals(new TopKInfo(2, 50, 3, 0.9), server.value(TopK.topkInfo("t")));
    }

    private void digests() {
        server.value(TDigest.tdigestCreate("{d}1").compression(100));
        server.value(TDigest.tdigestCreate("{d}2").compression(50));
        assertEquals(Double.NaN, server.value(TDigest.tdigestMin("{d}1")));
        assertEquals(List.of(Double.NaN), server.value(TDigest.tdigestQuantile("{d}1", 0.5)));
        server.value(TDigest.tdigestAdd("{d}1", 1, 2.5, 3, 1e300));
        server.value(TDigest.tdigestMerge("{d}2", "{d}1"));
        server.value(TDigest.tdigestMerge("{d}3", "{d}1", "{d}2").compression(20).override());
        assertEquals(1, server.value(TDigest.tdigestMin("{d}1")));
        assertEquals(1e300, server.value(TDigest.tdigestMax("{d}1")));
        assertEquals(List.of(3.0, 1e300, 1.0), server.value(TDigest.tdigestQuantile("{d}1", 0.5, 0.9, 0)));
        assertEquals(List.of(0.25, 0.75), server.value(TDigest.tdigestCdf("{d}1", 2, 3.5)));
        assertEquals(2.1666666666666665, server.value(TDigest.tdigestTrimmedMean("{d}1", 0.1, 0.6)));
        assertEquals(List.of(1L, 3L), server.value(TDigest.tdigestRank("{d}1", 2, 100)));
        assertEquals(List.of(3L, 4L), server.value(TDigest.tdigestRevrank("{d}1", 2, -5)));
        assertEquals(List.of(1.0, 2.5, Double.POSITIVE_INFINITY),
            server.value(TDigest.tdigestByrank("{d}1", 0, 1, 100)));
        assertEquals(List.of(1e300, 3.0, Double.NEGATIVE_INFINITY),
            server.value(TDigest.tdigestByrevrank("{d}1", 0, 1, 100)));
        assertEquals(new TDigestInfo(100, 610, 4, 0, 4, 0, 4, 1, 9_768), server.value(TDigest.tdigestInfo("{d}1")));
        server.value(TDigest.tdigestReset("{d}1"));
    }

    @Test
    void readsFiltersThatNeverGrow() {
        byte[] reply = "*2\r\n+Expansion rate\r\n$-1\r\n".getBytes(StandardCharsets.US_ASCII);
        ReplyReader in = new ReplyReader(Limits.DEFAULT, Utf8.STRICT).reset(reply, 0, reply.length);
        BloomInfo info = Bloom.bfInfo("k").read(in);
        assertEquals(OptionalLong.empty(), info.expansion());
    }

    @Test
    void knowsKeysAndWhatMayBeRepeated() {
        assertEquals(List.of(Bytes.of("to"), Bytes.of("a"), Bytes.of("b")),
            CountMinSketch.cmsMerge("to", Sent.map("a", 1L, "b", 1L)).keys());
        assertEquals(List.of(Bytes.of("to"), Bytes.of("a")), TDigest.tdigestMerge("to", "a").override().keys());
        assertTrue(Bloom.bfExists("k", "a").readOnly() && TopK.topkList("k").repeatable());
        assertFalse(Bloom.bfAdd("k", "a").readOnly() || Bloom.bfAdd("k", "a").repeatable());
        assertThrows(SamewireException.class, () -> CountMinSketch.cmsIncrby("k", Map.of()));
        assertThrows(SamewireException.class, () -> CountMinSketch.cmsMerge("to", Map.of()));
    }
}
