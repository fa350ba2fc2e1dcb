package io.samewire.redis.command;

/** The query of near vectors of {@code FT.HYBRID}. Each method returns another query. */
@CheckReturnValue
public final class HybridVector {
    final Object[] word;

    private HybridVector(Object... word) {
        this.word = word;
    }

    private HybridVector with(int slot, Object... option) {
        return new HybridVector(Words.with(word, slot, option));
    }

    /**
     * Returns a query of the ten nearest vectors.
     *
     * @param field the field, with {@code @}
     * @param vector the name of the parameter that is the vector, with {@code $}: {@code params} says its bytes
     */
    public static HybridVector of(CharSequence field, CharSequence vector) {
        return new HybridVector(Words.text(field), Words.text(vector));
    }

    /** Of so many nearest vectors. */
    public HybridVector knn(long nearest) {
        return with(2, Tokens.KNN, Words.counted(new Object[] {Tokens.K, nearest}));
    }

    /** Of so many nearest vectors, for which the index looks at so many candidates. */
    public HybridVector knn(long nearest, long candidates) {
        return with(2, Tokens.KNN, Words.counted(new Object[] {Tokens.K, nearest, Tokens.EF_RUNTIME, candidates}));
    }

    /** Of the vectors that are at most so far away. */
    public HybridVector range(double radius) {
        return with(2, Tokens.RANGE, Words.counted(new Object[] {Tokens.RADIUS, radius}));
    }

    /** Of the vectors that are at most so far away; epsilon: by which part more the index looks around. */
    public HybridVector range(double radius, double epsilon) {
        return with(2, Tokens.RANGE, Words.counted(new Object[] {Tokens.RADIUS, radius, Tokens.EPSILON, epsilon}));
    }

    /** Among the documents that match another query. */
    public HybridVector filter(CharSequence query) {
        return with(3, Tokens.FILTER, Words.text(query));
    }

    /** With the name under which steps find the distance. */
    public HybridVector yieldScoreAs(CharSequence name) {
        return with(4, Tokens.YIELD_SCORE_AS, Words.text(name));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
