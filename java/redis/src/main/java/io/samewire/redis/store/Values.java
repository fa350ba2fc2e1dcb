package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Codec;
import io.samewire.pack.Decoder;
import io.samewire.pack.Schema;
import io.samewire.redis.command.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Values of a type as bytes in a server, written by any version of its schema. Thread-safe. */
final class Values<T> {
    /** A message's header byte and its digest. */
    private static final int HEAD = 9;
    private static final int VERSION_1 = 0x80;
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

    /** Writes the schema's key without blocking. Must complete before values are written. */
    CompletableFuture<Void> submitReady() {
        return schemas.submitWrite(executor);
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
        Decoder<T> decoder = known(where, data);
        if (decoder == null) {
            // Not in computeIfAbsent: the map must not be locked during a round trip.
            byte[] digest = digest(data);
            decoder = learned(digest, executor.execute(schemas.text(digest)), where, data);
        }
        return decode(decoder, where, data);
    }

    /** Decodes a value without blocking while the server is asked for its schema. */
    CompletableFuture<T> submitDecode(Supplier<String> where, byte[] data) {
        Decoder<T> decoder = known(where, data);
        if (decoder != null) {
            return CompletableFuture.completedFuture(decode(decoder, where, data));
        }
        byte[] digest = digest(data);
        return executor.submit(schemas.text(digest))
            .thenApply(text -> decode(learned(digest, text, where, data), where, data));
    }

    private static byte[] digest(byte[] data) {
        return Arrays.copyOfRange(data, 1, HEAD);
    }

    /** Returns what decodes values of this one's schema; null if that was not looked up yet. */
    private Decoder<T> known(Supplier<String> where, byte[] data) {
        if (data.length < HEAD || (data[0] & VERSION_1) == 0 || (data[0] & DIGEST) == 0) {
            throw new StoredValueException(headless(data), where.get(), data);
        }
        long written = (long) LONG.get(data, 1);
        return written == digest ? codec : writers.get(written);
    }

    private Decoder<T> learned(byte[] writer, Optional<byte[]> text, Supplier<String> where, byte[] data) {
        Schema schema = schemas.read(writer, text.orElse(null), where.get(), data);
        Decoder<T> decoder;
        try {
            decoder = codec.resolve(schema.text());
        } catch (SamewireException error) {
            throw new StoredValueException(error, where.get(), data);
        }
        if (writers.size() >= WRITERS) {
            writers.clear();
        }
        writers.put((long) LONG.get(writer, 0), decoder);
        return decoder;
    }

    private T decode(Decoder<T> decoder, Supplier<String> where, byte[] data) {
        try {
            return decoder.decode(data);
        } catch (SamewireException error) {
            throw new StoredValueException(error, where.get(), data);
        }
    }

    private static SamewireException headless(byte[] data) {
        if (data.length == 0) {
            return new SamewireException(Code.TRUNCATED, 0, null, "no bytes at all, expected a pack value");
        } else if ((data[0] & VERSION_1) == 0) {
            return new SamewireException(Code.UNSUPPORTED, 0, null,
                "the first byte is " + (data[0] & 0xff) + ", which no pack value of version 1 begins with");
        } else if ((data[0] & DIGEST) == 0) {
            return new SamewireException(Code.MALFORMED, 0, null,
                "a value without the digest of its schema: not written by a store");
        }
        return new SamewireException(Code.TRUNCATED, data.length, null, "ends inside the digest of its schema");
    }
}
