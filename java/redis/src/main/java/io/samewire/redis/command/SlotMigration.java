package io.samewire.redis.command;

/** Slots that move to another node. */
public final class SlotMigration {
    final Object[] word;

    private SlotMigration(Object... word) {
        this.word = word;
    }

    /** Returns the migration of ranges of slots to a node. */
    public static SlotMigration to(CharSequence node, IndexRange first, IndexRange... more) {
        return new SlotMigration(Tokens.SLOTSRANGE, Words.ranges(first, more), Tokens.NODE, Words.text(node));
    }
}
