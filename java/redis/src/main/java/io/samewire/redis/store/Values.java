package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Decoder;
import io.samewire.redis.command.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A type's values as bytes in a server, whichever schema they were written with. Thread-safe. */
final class Values<T> {
    /** A message's header byte and its digest. */
    private static final int HEAD = 9;
    private static final int VERSION_MASK = 0xc0;
    private static final int VERSION_1 = 0x40;
    private static final int DIGEST = 0x10;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    /** Decoders that are kept for other writers' schemas; then all are dropped. Anyone may write new digests. */
    private static final int WRITERS = 256;

    private final CommandExecutor executor;
    private final Codec<T> codec;
    private final long digest;
    private final SchemaKeys schemas;
    private final Map<Long, Decoder<T>> writers = new ConcurrentHashMap<>();

    Values(CommandExecutor executor, Codec<T> codec, String schemasPrefix, LongSupplier clock) {
        this.executor = executor;
        this.codec = codec.withDigest();
        this.digest = (long) LONG.get(codec.digest(), 0);
        this.schemas = new SchemaKeys(schemasPrefix, codec.schema(), clock);
    }

    Codec<T> codec() {
        return codec;
    }

    CommandExecutor executor() {
        return executor;
    }

    SchemaKeys schemas() {
        return schemas;
    }

    /** Must run before values are written. */
    void ready() {
        schemas.write(executor);
    }

    Bytes encode(T value) {
        return Bytes.wrap(codec.encode(value));
    }

    /**
     * Returns the value of {@code data}.
     *
     * @param where the name of the place that held it, for errors
     * @throws StoredValueException if it cannot be read
     */
    T decode(Supplier<String> where, byte[] data) {
        if (data.length < HEAD || (data[0] & VERSION_MASK) != VERSION_1 || (data[0] & DIGEST) == 0) {
            throw new StoredValueException(headless(data), where.get(), data);
        }
        long written = (long) LONG.get(data, 1);
        try {
            return written == digest ? codec.decode(data) : writer(written, where, data).decode(data);
        } catch (StoredValueException known) {
            throw known;
        } catch (SamewireException error) {
            throw new StoredValueException(error, where.get(), data);
        }
    }

    private Decoder<T> writer(long written, Supplier<String> where, byte[] data) {
        Decoder<T> decoder = writers.get(written);
        if (decoder == null) {
            // Not in computeIfAbsent: the map must not be locked during a round trip.
            String text = schemas.read(executor, Arrays.copyOfRange(data, 1, HEAD), where.get(), data).text();
            decoder = codec.resolve(text);
            if (writers.size() >= WRITERS) {
                writers.clear();
            }
            writers.put(written, decoder);
        }
        return decoder;
    }

    private static SamewireException headless(byte[] data) {
        if (data.length == 0) {
            return new SamewireException(Code.TRUNCATED, 0, null, "no bytes at all, expected a pack value");
        } else if ((data[0] & VERSION_MASK) != VERSION_1) {
            return new SamewireException(Code.UNSUPPORTED, 0, null,
                "the first byte is " + (data[0] & 0xff) + ", which no pack value of version 1 begins with");
        } else if ((data[0] & DIGEST) == 0) {
            return new SamewireException(Code.MALFORMED, 0, null,
                "a value without the digest of its schema: not written by a store");
        }
        return new SamewireException(Code.TRUNCATED, data.length, null, "ends inside the digest of its schema");
    }
}
