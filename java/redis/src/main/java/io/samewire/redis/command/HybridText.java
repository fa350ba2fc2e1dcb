package io.samewire.redis.command;

/** The query of words of {@code FT.HYBRID}. Each method returns another query. */
@CheckReturnValue
public final class HybridText {
    final Object[] word;

    private HybridText(Object... word) {
        this.word = word;
    }

    private HybridText with(int slot, Object... option) {
        return new HybridText(Words.with(word, slot, option));
    }

    /** Returns a query as {@code FT.SEARCH} has them. */
    public static HybridText of(CharSequence query) {
        return new HybridText(Words.text(query));
    }

    /** With the function that scores documents, {@code BM25STD} otherwise. */
    public HybridText scorer(CharSequence scorer) {
        return with(1, Tokens.SCORER, Words.text(scorer));
    }

    /** With the name under which steps find the score. */
    public HybridText yieldScoreAs(CharSequence name) {
        return with(2, Tokens.YIELD_SCORE_AS, Words.text(name));
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
