package io.samewire.redis.command;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** A step that the rows of an aggregation go through. Steps run in the order in which they are added. */
@CheckReturnValue
public final class AggregationStep {
    final Object[] word;

    private AggregationStep(Object... word) {
        this.word = word;
    }

    /**
     * Returns one row of all with equal fields.
     *
     * @param fields the fields, with {@code @}; none for one row of all
     * @param reducers what becomes of the rows of a group
     */
    public static AggregationStep groupby(Collection<? extends CharSequence> fields, Reducer... reducers) {
        return new AggregationStep(Tokens.GROUPBY, Words.counted(Words.texts(fields)),
            Arrays.stream(reducers).map(reducer -> reducer.word).toArray());
    }

    /** Returns one row of all with an equal field. */
    public static AggregationStep groupby(CharSequence field, Reducer... reducers) {
        return groupby(List.of(field), reducers);
    }

    /** Returns rows with another field, which an expression makes: {@code apply("@count * 2", "twice")}. */
    public static AggregationStep apply(CharSequence expression, CharSequence as) {
        return new AggregationStep(Tokens.APPLY, Words.text(expression), Tokens.AS, Words.text(as));
    }

    /** Returns the rows for which an expression holds. */
    public static AggregationStep filter(CharSequence expression) {
        return new AggregationStep(Tokens.FILTER, Words.text(expression));
    }

    /** Returns the rows sorted. */
    public static AggregationStep sortby(SortKey first, SortKey... more) {
        return new AggregationStep(Tokens.SORTBY, Words.countedDeep(Words.each(key -> key.word, first, more)));
    }

    /** Returns the first rows of all sorted ones: the server keeps no others. */
    public static AggregationStep sortbyMax(long most, SortKey first, SortKey... more) {
        return new AggregationStep(Tokens.SORTBY, Words.countedDeep(Words.each(key -> key.word, first, more)),
            Tokens.MAX, most);
    }

    /** Returns so many rows from an offset on. */
    public static AggregationStep limit(long offset, long count) {
        return new AggregationStep(Tokens.LIMIT, offset, count);
    }

    /** Returns rows with these fields of their documents, loaded where the step stands. */
    public static AggregationStep load(CharSequence field, CharSequence... more) {
        return new AggregationStep(Tokens.LOAD, Words.counted(Words.texts(field, more)));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
