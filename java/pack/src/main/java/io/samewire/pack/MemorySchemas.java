package io.samewire.pack;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Schemas of one process, say of all the versions that a program knows. */
public final class MemorySchemas implements SchemaStore {
    private final Map<Long, String> texts = new ConcurrentHashMap<>();

    /** A store of these schemas. */
    public MemorySchemas(Schema... schemas) {
        for (Schema schema : schemas) {
            put(schema);
        }
    }

    @Override
    public Optional<String> get(byte[] digest) {
        return Optional.ofNullable(texts.get(Digests.bits(digest)));
    }

    @Override
    public void put(Schema schema) {
        texts.putIfAbsent(schema.digestBits(), schema.text());
    }
}
