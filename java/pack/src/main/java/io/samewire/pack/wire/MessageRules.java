package io.samewire.pack.wire;

import io.samewire.core.Limits;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;

/**
 * What a message is judged by.
 *
 * @param writer the schema it was written with
 * @param reader the schema of whoever reads; the same object where nothing is resolved
 * @param facts of the writer's schema
 * @param cells the memory that values of the writer's schema take
 * @param digest of the writer's schema
 * @param limits what it may use
 */
public record MessageRules(SchemaType writer, SchemaType reader, SchemaFacts facts, Cells cells, long digest,
    Limits limits) {}
