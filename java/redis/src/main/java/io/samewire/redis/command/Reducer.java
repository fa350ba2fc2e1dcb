package io.samewire.redis.command;

/** What an aggregation makes of the rows of a group: {@code Reducer.sum("@price").as("total")}. */
@CheckReturnValue
public final class Reducer {
    final Object[] word;

    private Reducer(Object... word) {
        this.word = word;
    }

    /**
     * Returns a reducer by its name.
     *
     * @param name as the server names it: {@code COUNT_DISTINCTISH}
     * @param arguments the fields, with {@code @}, and what it needs besides
     */
    public static Reducer of(CharSequence name, CharSequence... arguments) {
        return new Reducer(Tokens.REDUCE, Words.text(name), Words.counted(Words.texts(arguments)));
    }

    /** Returns the number of rows. */
    public static Reducer count() {
        return of("COUNT");
    }

    /** Returns the number of different values. */
    public static Reducer countDistinct(CharSequence field) {
        return of("COUNT_DISTINCT", field);
    }

    /** Returns the sum. */
    public static Reducer sum(CharSequence field) {
        return of("SUM", field);
    }

    /** Returns the least value. */
    public static Reducer min(CharSequence field) {
        return of("MIN", field);
    }

    /** Returns the greatest value. */
    public static Reducer max(CharSequence field) {
        return of("MAX", field);
    }

    /** Returns the mean. */
    public static Reducer avg(CharSequence field) {
        return of("AVG", field);
    }

    /** Returns the standard deviation. */
    public static Reducer stddev(CharSequence field) {
        return of("STDDEV", field);
    }

    /** Returns the value below which this share of the values is. */
    public static Reducer quantile(CharSequence field, double fraction) {
        return new Reducer(Tokens.REDUCE, "QUANTILE", Words.counted(new Object[] {Words.text(field), fraction}));
    }

    /** Returns all different values. */
    public static Reducer tolist(CharSequence field) {
        return of("TOLIST", field);
    }

    /** Returns the value of the first row in an order. */
    public static Reducer firstValue(CharSequence field, CharSequence by, Order order) {
        return new Reducer(Tokens.REDUCE, "FIRST_VALUE",
            Words.counted(new Object[] {Words.text(field), Tokens.BY, Words.text(by), order.word}));
    }

    /** Returns some of the values. */
    public static Reducer randomSample(CharSequence field, long size) {
        return new Reducer(Tokens.REDUCE, "RANDOM_SAMPLE", Words.counted(new Object[] {Words.text(field), size}));
    }

    /** Returns the same under this name. */
    public Reducer as(CharSequence name) {
        return new Reducer(Words.with(word, 3, new Object[] {Tokens.AS, Words.text(name)}));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
