package io.samewire.pack.wire;

import io.samewire.pack.schema.SchemaType;

/** Moves a reader over a slot that the reader's own type lacks; what stands there is checked all the same. */
public final class Skip {
    private final MessageRules rules;
    private final SchemaType type;

    /** Skips a {@code type}; an option's flag has been looked at already, so that it is never an option or a bool. */
    public Skip(MessageRules rules, SchemaType type) {
        this.rules = rules;
        this.type = type;
    }

    /** Moves over the slot. */
    public void skip(Reader in) {
        MessageWalker.skip(rules, type, in);
    }
}
