package io.samewire.redis.command;

/** What the rows of an aggregation are sorted by: {@code SortKey.of("@year", Order.DESC)}. */
public final class SortKey {
    final Object[] word;

    private SortKey(Object... word) {
        this.word = word;
    }

    /** Returns a field, the least first. */
    public static SortKey of(CharSequence field) {
        return new SortKey(Words.text(field));
    }

    /** Returns a field and its order. */
    public static SortKey of(CharSequence field, Order order) {
        return new SortKey(Words.text(field), order.word);
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
