package io.samewire.pack.bind;

import io.samewire.pack.Codec;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.StrictReader;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the walker alone says of a message. */
public final class StrictRead {
    private static final Map<String, MessageRules> RULES = new ConcurrentHashMap<>();

    private StrictRead() {}

    /** The error of a message of that codec, read under the default limits; null if there is none. */
    public static SamewireException error(Codec<?> codec, byte[] message) {
        MessageRules rules = RULES.computeIfAbsent(codec.schema().text(), text -> {
            SchemaType type = SchemaParser.parse(text);
            SchemaFacts facts = new SchemaFacts(type);
            return new MessageRules(type, type, facts, new Cells(type, facts),
                ByteBuffer.wrap(codec.digest()).getLong(), Limits.DEFAULT);
        });
        return StrictReader.error(rules, message, 0, message.length);
    }
}
