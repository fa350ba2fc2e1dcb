package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;

import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.connection.RedisStreamCommands;
import org.springframework.data.redis.connection.stream.ByteRecord;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.PendingMessage;
import org.springframework.data.redis.connection.stream.PendingMessages;
import org.springframework.data.redis.connection.stream.PendingMessagesSummary;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamInfo.XInfoConsumers;
import org.springframework.data.redis.connection.stream.StreamInfo.XInfoGroups;
import org.springframework.data.redis.connection.stream.StreamInfo.XInfoStream;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamReadOptions;
import org.springframework.data.redis.connection.stream.StreamRecords;

/** Commands of streams. */
final class StreamCommands implements RedisStreamCommands {
    static final Reading<RecordId> ID = in -> Readings.isNull(in) ? null : RecordId.of(in.readString());

    private final Calls calls;

    StreamCommands(Calls calls) {
        this.calls = calls;
    }

    static List<String> words(RecordId... ids) {
        List<String> words = new ArrayList<>(ids.length);
        for (RecordId id : ids) {
            words.add(id.getValue());
        }
        return words;
    }

    // --- records

    @Override
    public RecordId xAdd(MapRecord<byte[], byte[], byte[]> added, XAddOptions options) {
        Object trimmed = options.hasMaxlen() ? List.of("MAXLEN", near(options.isApproximateTrimming()),
            options.getMaxlen()) : options.hasMinId() ? List.of("MINID", near(options.isApproximateTrimming()),
            options.getMinId().getValue()) : List.of();
        return calls.call(ID, "XADD", added.getStream(), when(options.isNoMkStream(), "NOMKSTREAM"), trimmed,
            added.getId().getValue(), StringCommands.words(added.getValue()));
    }

    static List<Object> near(boolean approximate) {
        return when(approximate, "~");
    }

    @Override
    public Long xDel(byte[] key, RecordId... ids) {
        return calls.call(Readings.LONG, "XDEL", key, words(ids));
    }

    @Override
    public Long xLen(byte[] key) {
        return calls.call(Readings.LONG, "XLEN", key);
    }

    @Override
    public Long xTrim(byte[] key, long most) {
        return xTrim(key, most, false);
    }

    @Override
    public Long xTrim(byte[] key, long most, boolean approximate) {
        return calls.call(Readings.LONG, "XTRIM", key, "MAXLEN", near(approximate), most);
    }

    @Override
    public List<ByteRecord> xRange(byte[] key, Range<String> range, Limit limit) {
        return calls.call(records(key), "XRANGE", key, Bounds.ids(range), Bounds.count(limit));
    }

    @Override
    public List<ByteRecord> xRevRange(byte[] key, Range<String> range, Limit limit) {
        return calls.call(records(key), "XREVRANGE", key, Bounds.idsDescending(range), Bounds.count(limit));
    }

    @Override
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final List<ByteRecord> xRead(StreamReadOptions options, StreamOffset<byte[]>... streams) {
        return calls.call(StreamCommands::streams, "XREAD", words(options), words(streams));
    }

    @Override
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final List<ByteRecord> xReadGroup(Consumer consumer, StreamReadOptions options,
            StreamOffset<byte[]>... streams) {
        return calls.call(StreamCommands::streams, "XREADGROUP", "GROUP", consumer.getGroup(), consumer.getName(),
            words(options), when(options.isNoack(), "NOACK"), words(streams));
    }

    private static List<Object> words(StreamReadOptions options) {
        return List.of(options.getCount() == null ? List.of() : List.of("COUNT", options.getCount()),
            options.isBlocking() ? List.of("BLOCK", options.getBlock()) : List.of());
    }

    private static List<Object> words(StreamOffset<byte[]>[] streams) {
        List<Object> keys = new ArrayList<>(streams.length);
        List<Object> offsets = new ArrayList<>(streams.length);
        for (StreamOffset<byte[]> one : streams) {
            keys.add(one.getKey());
            offsets.add(one.getOffset().getOffset());
        }
        return List.of("STREAMS", keys, offsets);
    }

    /** Records of several streams: a map in RESP3, pairs in RESP2. */
    private static List<ByteRecord> streams(ReplyReader in) {
        List<ByteRecord> found = new ArrayList<>();
        boolean map = in.type() == ReplyType.MAP;
        int count = map ? in.beginMap() : in.beginArray();
        for (int i = 0; i < count; i++) {
            Reading<List<ByteRecord>> stream = one -> records(one.readBytes()).read(one);
            found.addAll(map ? stream.read(in) : Readings.array(in, 2, stream));
        }
        return found;
    }

    private static Reading<List<ByteRecord>> records(byte[] key) {
        return in -> {
            int count = Math.max(in.beginArray(), 0);
            List<ByteRecord> found = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                // A null stands for a record that was deleted.
                if (!Readings.isNull(in)) {
                    found.add(record(key, in));
                }
            }
            return found;
        };
    }

    private static ByteRecord record(byte[] key, ReplyReader in) {
        return Readings.array(in, 2, one -> {
            RecordId id = RecordId.of(one.readString());
            Map<byte[], byte[]> fields = Readings.or(Readings.BYTES_MAP, new LinkedHashMap<>()).read(one);
            return StreamRecords.newRecord().in(key).withId(id).ofBytes(fields);
        });
    }

    // --- groups

    @Override
    public Long xAck(byte[] key, String group, RecordId... ids) {
        return calls.call(Readings.LONG, "XACK", key, group, words(ids));
    }

    @Override
    public List<RecordId> xClaimJustId(byte[] key, String group, String owner, XClaimOptions options) {
        return calls.call(Readings.list(ID), "XCLAIM", key, group, owner, words(options), "JUSTID");
    }

    @Override
    public List<ByteRecord> xClaim(byte[] key, String group, String owner, XClaimOptions options) {
        return calls.call(records(key), "XCLAIM", key, group, owner, words(options));
    }

    private static List<Object> words(XClaimOptions options) {
        Duration least = options.getMinIdleTime();
        return List.of(least == null ? 0 : least.toMillis(), List.of((Object[]) options.getIdsAsStringArray()),
            options.getIdleTime() == null ? List.of() : List.of("IDLE", options.getIdleTime().toMillis()),
            options.getUnixTime() == null ? List.of() : List.of("TIME", options.getUnixTime().toEpochMilli()),
            options.getRetryCount() == null ? List.of() : List.of("RETRYCOUNT", options.getRetryCount()),
            when(options.isForce(), "FORCE"));
    }

    @Override
    public String xGroupCreate(byte[] key, String group, ReadOffset from) {
        return xGroupCreate(key, group, from, false);
    }

    @Override
    public String xGroupCreate(byte[] key, String group, ReadOffset from, boolean makesStream) {
        // What nobody has read yet begins behind the last record.
        String offset = from.equals(ReadOffset.lastConsumed()) ? "$" : from.getOffset();
        return calls.call(Readings.STRING, "XGROUP CREATE", key, group, offset, when(makesStream, "MKSTREAM"));
    }

    @Override
    public Boolean xGroupDelConsumer(byte[] key, Consumer consumer) {
        return calls.call(in -> in.readLong() >= 0, "XGROUP DELCONSUMER", key, consumer.getGroup(),
            consumer.getName());
    }

    @Override
    public Boolean xGroupDestroy(byte[] key, String group) {
        return calls.call(Readings.YES, "XGROUP DESTROY", key, group);
    }

    @Override
    public PendingMessagesSummary xPending(byte[] key, String group) {
        return calls.call(in -> Readings.array(in, 4, all -> {
            long total = all.readLong();
            String first = all.readString();
            String last = all.readString();
            Map<String, Long> consumers = new LinkedHashMap<>();
            int count = Math.max(all.beginArray(), 0);
            for (int i = 0; i < count; i++) {
                Readings.array(all, 2, one -> consumers.put(one.readString(), one.readLong()));
            }
            Range<String> ids = first == null ? Range.unbounded() : Range.closed(first, last);
            return new PendingMessagesSummary(group, total, ids, consumers);
        }), "XPENDING", key, group);
    }

    @Override
    public PendingMessages xPending(byte[] key, String group, XPendingOptions options) {
        long most = options.isLimited() ? options.getCount() : Long.MAX_VALUE;
        return calls.call(in -> {
            List<PendingMessage> found = Readings.list(one -> pending(group, one)).read(in);
            return new PendingMessages(group, options.getRange(), found == null ? List.of() : found);
        }, "XPENDING", key, group, Bounds.ids(options.getRange()), most,
            options.hasConsumer() ? options.getConsumerName() : List.of());
    }

    private static PendingMessage pending(String group, ReplyReader in) {
        return Readings.array(in, 4, one -> {
            RecordId id = RecordId.of(one.readString());
            Consumer consumer = Consumer.from(group, one.readString());
            return new PendingMessage(id, consumer, Duration.ofMillis(one.readLong()), one.readLong());
        });
    }

    // --- information

    @Override
    public XInfoStream xInfo(byte[] key) {
        return calls.call(in -> XInfoStream.fromList(texts(in)), "XINFO STREAM", key);
    }

    @Override
    public XInfoGroups xInfoGroups(byte[] key) {
        return calls.call(in -> XInfoGroups.fromList(texts(in)), "XINFO GROUPS", key);
    }

    @Override
    public XInfoConsumers xInfoConsumers(byte[] key, String group) {
        return calls.call(in -> XInfoConsumers.fromList(group, texts(in)), "XINFO CONSUMERS", key, group);
    }

    /** A list with texts for bytes; maps are keys and values in turn. */
    private static List<Object> texts(ReplyReader in) {
        List<Object> found = new ArrayList<>();
        for (Object one : (List<?>) Readings.ANY.read(in)) {
            found.add(text(one));
        }
        return found;
    }

    private static Object text(Object one) {
        if (one instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        } else if (one instanceof List<?> list) {
            List<Object> found = new ArrayList<>();
            list.forEach(inner -> found.add(text(inner)));
            return found;
        }
        return one;
    }
}
