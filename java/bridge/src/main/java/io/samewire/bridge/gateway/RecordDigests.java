package io.samewire.bridge.gateway;

import io.samewire.pack.Pack;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The digests of the schemas of records. */
public final class RecordDigests {
    private RecordDigests() {}

    /**
     * Returns the digests by the records' names, the first byte the highest.
     *
     * @throws io.samewire.core.SamewireException if a class has no schema
     */
    public static Map<String, Long> of(Map<String, Class<?>> records) {
        Map<String, Long> digests = new HashMap<>();
        for (Map.Entry<String, Class<?>> record : records.entrySet()) {
            digests.put(record.getKey(), ByteBuffer.wrap(Pack.codec(record.getValue()).digest()).getLong());
        }
        return digests;
    }
}
