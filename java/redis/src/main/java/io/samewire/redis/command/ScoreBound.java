package io.samewire.redis.command;

/**
 * An end of a range of scores: {@code ScoreBound.of(1)}, {@code ScoreBound.exclusive(5)}, {@link #MIN}, {@link #MAX}.
 */
@CheckReturnValue
public final class ScoreBound {
    /** Below every score: minus infinity. */
    public static final ScoreBound MIN = new ScoreBound(new Token("-inf"));
    /** Above every score: infinity. */
    public static final ScoreBound MAX = new ScoreBound(new Token("+inf"));

    final Object word;

    private ScoreBound(Object word) {
        this.word = word;
    }

    /**
     * Returns a bound that belongs to the range.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if it is not a number
     */
    public static ScoreBound of(double score) {
        return new ScoreBound(checked(score));
    }

    /**
     * Returns a bound that does not belong to the range.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if it is not a number
     */
    public static ScoreBound exclusive(double score) {
        double bound = checked(score);
        return new ScoreBound("(" + (bound == (long) bound ? Long.toString((long) bound) : Double.toString(bound)));
    }

    private static double checked(double score) {
        if (Double.isNaN(score)) {
            throw Words.misuse("expected a score, found NaN");
        }
        return score;
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
