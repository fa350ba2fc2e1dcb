package io.samewire.pack.wire;

import io.samewire.pack.schema.SchemaType;

/** Moves a reader over a slot that the reader's own type lacks; what stands there is checked all the same. */
public final class Skip {
    private final MessageRules rules;
    private final SchemaType type;
    private final boolean option;

    /**
     * Skips values of a type.
     *
     * @param rules of the message
     * @param type of the values; of an option in a slot, the type of its item
     * @param option whether it is the item of an option that is present
     */
    public Skip(MessageRules rules, SchemaType type, boolean option) {
        this.rules = rules;
        this.type = type;
        this.option = option;
    }

    /** Moves over a column of {@code m} values. */
    public void skipColumn(Reader in, int m) {
        StrictReader.skipColumn(rules, type, in, m);
    }

    /** Moves over the slot. */
    public void skip(Reader in) {
        StrictReader.skip(rules, type, in, option);
    }
}
