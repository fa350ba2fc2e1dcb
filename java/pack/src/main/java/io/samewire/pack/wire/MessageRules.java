package io.samewire.pack.wire;

import io.samewire.core.Limits;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;

/**
 * What a message is checked against.
 *
 * @param writer the schema that it was written with
 * @param reader the reader's schema; the same object as the writer's if nothing is resolved
 * @param facts of the writer's schema
 * @param cells the memory that values of the writer's schema take
 * @param digest of the writer's schema
 * @param limits what it may use at most
 */
public record MessageRules(SchemaType writer, SchemaType reader, SchemaFacts facts, Cells cells, long digest,
    Limits limits) {}
