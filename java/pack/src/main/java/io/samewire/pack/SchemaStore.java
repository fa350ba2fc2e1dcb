package io.samewire.pack;

import java.util.Optional;

/**
 * Keeps schemas by their digest. {@link MemorySchemas} and {@link FolderSchemas} are two; programs implement it for a
 * store of their own: a database, a service. Threads may share it.
 */
public interface SchemaStore {
    /** Returns the canonical text of the schema with this digest of 8 bytes, or empty if it is not there. */
    Optional<String> get(byte[] digest);

    /** Keeps a schema. Does nothing if it is there. */
    void put(Schema schema);
}
