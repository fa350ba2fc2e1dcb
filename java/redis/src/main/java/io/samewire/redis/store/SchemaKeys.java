package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Schema;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Where the schemas of values are kept: one key for each, named by its digest. */
final class SchemaKeys {
    /** A writer looks this often whether the key of its schema is there. A flush or an eviction may take it away. */
    private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(60);

    private final String prefix;
    private final Bytes prefixBytes;
    private final Schema own;
    private final Bytes ownText;
    private final LongSupplier clock;
    private volatile boolean written;
    private volatile long writtenAt;
    /** The look of callers that do not wait, which those that come meanwhile share. */
    private volatile CompletableFuture<Void> asked;

    SchemaKeys(String prefix, Schema own, LongSupplier clock) {
        this.prefix = prefix;
        this.prefixBytes = Bytes.of(prefix);
        this.own = own;
        this.ownText = Bytes.of(own.text());
        this.clock = clock;
    }

    String prefix() {
        return prefix;
    }

    /** Returns whether a key is that of a schema. */
    boolean holds(byte[] key) {
        int length = prefixBytes.length();
        return key.length >= length && Arrays.equals(key, 0, length, prefixBytes.toByteArray(), 0, length);
    }

    /** Writes the key of the own schema, if it is absent, and the last look at it is long ago. */
    void write(CommandExecutor executor) {
        if (!isSure()) {
            List<Command<?>> commands = List.of(setAbsent(), held());
            List<Object> replies = executor.executeAll(commands);
            judge((byte[]) ((Optional<?>) replies.get(1)).orElse(null));
        }
    }

    /** Writes the key of the own schema without blocking; one write at a time. */
    CompletableFuture<Void> submitWrite(CommandExecutor executor) {
        CompletableFuture<Void> before = asked;
        if (isSure()) {
            return CompletableFuture.completedFuture(null);
        } else if (before != null && !before.isDone()) {
            return before;
        }
        // One after the other: in a cluster each is redirected by itself.
        CompletableFuture<Void> sure = executor.submit(setAbsent()).thenCompose(set -> executor.submit(held()))
            .thenAccept(found -> judge(found.orElse(null)));
        asked = sure;
        return sure;
    }

    private boolean isSure() {
        return written && clock.getAsLong() - writtenAt < LOOK_AGAIN;
    }

    private Command<Boolean> setAbsent() {
        return Strings.setnx(key(own.digest()), ownText);
    }

    private Command<Optional<byte[]>> held() {
        return text(own.digest());
    }

    private void judge(byte[] held) {
        if (held == null || !Arrays.equals(held, ownText.toByteArray())) {
            throw new StoredValueException(new SamewireException(Code.SCHEMA_MISMATCH, -1, null,
                "the key holds another text than this program's schema of that digest, " + own), key(own.digest()),
                held == null ? new byte[0] : held);
        }
        writtenAt = clock.getAsLong();
        written = true;
    }

    private String key(byte[] digest) {
        return prefix + HexFormat.of().formatHex(digest);
    }

    /** Returns what asks for the schema of a digest. */
    Command<Optional<byte[]>> text(byte[] digest) {
        return Strings.get(key(digest)).as(Text.BYTES);
    }

    /**
     * Returns the schema of a digest.
     *
     * @param text the reply to {@link #text}
     * @param where the name of the place that held the value, for errors
     * @param data the value that was written with it, for errors
     * @throws StoredValueException {@code schema_mismatch} if its key is not there; {@code malformed} or the error of
     *     the text if the key does not hold a canonical schema text with that digest
     */
    Schema read(byte[] digest, byte[] text, String where, byte[] data) {
        String key = key(digest);
        if (text == null) {
            throw new StoredValueException(new SamewireException(Code.SCHEMA_MISMATCH, -1, null,
                "the header names a schema of digest " + HexFormat.of().formatHex(digest) + ", and " + key
                + ", which would hold its text, is not there: either that key was deleted, or no typed value was"
                + " written here"), where, data);
        }
        try {
            String decoded = utf8(text);
            Schema schema = Schema.parse(decoded);
            if (!schema.text().equals(decoded) || !Arrays.equals(schema.digest(), digest)) {
                throw new SamewireException(Code.MALFORMED, -1, null,
                    "not the canonical schema text of the digest in its name");
            }
            return schema;
        } catch (SamewireException error) {
            throw new StoredValueException(error, key, text);
        }
    }

    private static String utf8(byte[] text) {
        ByteBuffer in = ByteBuffer.wrap(text);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
        } catch (CharacterCodingException invalid) {
            // The decoder stops at the first byte that it cannot read.
            throw new SamewireException(Code.BAD_UTF8, in.position(), null, "a schema's text is UTF-8", invalid);
        }
    }
}
