package io.samewire.redis.command;

/** How {@code FT.HYBRID} makes one score of two. Each method returns another. */
@CheckReturnValue
public final class ScoreFusion {
    private final Token method;
    private final Object[] options;
    final Object[] word;

    private ScoreFusion(Token method, Object... options) {
        this.method = method;
        this.options = options;
        this.word = new Object[] {method, Words.countedDeep(options)};
    }

    private ScoreFusion with(int slot, Object... option) {
        return new ScoreFusion(method, Words.with(options, slot, option));
    }

    /** Returns the fusion by ranks (reciprocal rank fusion), with a constant of 60. */
    public static ScoreFusion rrf() {
        return new ScoreFusion(Tokens.RRF);
    }

    /** Returns the fusion by ranks: each query adds {@code 1 / (constant + rank)}. */
    public static ScoreFusion rrf(double constant) {
        return rrf().with(0, Tokens.CONSTANT, constant);
    }

    /** Returns the sum of the scores; alpha, beta: the weights of words and of vectors. */
    public static ScoreFusion linear(double alpha, double beta) {
        return new ScoreFusion(Tokens.LINEAR, (Object) new Object[] {Tokens.ALPHA, alpha, Tokens.BETA, beta});
    }

    /** With how many results of each query count, 20 otherwise. */
    public ScoreFusion window(long results) {
        return with(1, Tokens.WINDOW, results);
    }

    /** With the name under which steps find the score. */
    public ScoreFusion yieldScoreAs(CharSequence name) {
        return with(2, Tokens.YIELD_SCORE_AS, Words.text(name));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
