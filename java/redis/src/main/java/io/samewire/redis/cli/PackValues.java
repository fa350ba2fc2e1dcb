package io.samewire.redis.cli;

import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.Decoder;
import io.samewire.pack.Pack;
import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.command.Strings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** Values of pack in replies, decoded by the schemas that the server keeps. */
final class PackValues {
    private static final int HEAD = 9;
    /** The version, and that the digest follows. */
    private static final int WITH_DIGEST = 0x90;

    /** A decoded value, which may be null. */
    record Value(Object value) { }

    private final RedisClient client;
    private final String prefix;
    private final Map<String, Optional<Decoder<Object>>> decoders = new HashMap<>();

    PackValues(RedisClient client, String prefix) {
        this.client = client;
        this.prefix = prefix;
    }

    /**
     * Returns the value that bytes are, or empty if they do not begin as one, the server has no schema of their digest,
     * or they do not decode: any bytes may look like a header.
     */
    Optional<Value> decode(byte[] bytes) {
        if (bytes.length < HEAD || (bytes[0] & WITH_DIGEST) != WITH_DIGEST) {
            return Optional.empty();
        }
        String key = prefix + HexFormat.of().formatHex(Arrays.copyOfRange(bytes, 1, HEAD));
        return decoders.computeIfAbsent(key, this::decoder).flatMap(decoder -> {
            try {
                return Optional.of(new Value(decoder.decode(bytes)));
            } catch (SamewireException otherBytes) {
                return Optional.empty();
            }
        });
    }

    private Optional<Decoder<Object>> decoder(String key) {
        try {
            return client.execute(Strings.get(key)).map(text -> Pack.decoder(text, Limits.DEFAULT));
        } catch (ConnectionException lost) {
            throw lost;
        } catch (SamewireException refused) {
            // Another type of key, no right to read it, or no schema in it: the bytes are shown as they are.
            return Optional.empty();
        }
    }
}
