package io.samewire.redis.command;

import java.util.Map;

/**
 * A field of an index: {@code IndexField.numeric("$.year").as("year").sortable()}. Each method returns another field.
 * What a field's type does not have the server refuses.
 */
@CheckReturnValue
public final class IndexField {
    final Object[] words;

    private IndexField(Object... words) {
        this.words = words;
    }

    private static IndexField of(CharSequence name, Object type) {
        return new IndexField(Words.text(name), null, type);
    }

    private IndexField with(int slot, Object word) {
        return new IndexField(Words.with(words, slot, word));
    }

    /**
     * Returns a field of words, which are searched for.
     *
     * @param name the field of hashes, or the path in documents of JSON
     */
    public static IndexField text(CharSequence name) {
        return of(name, Tokens.TEXT);
    }

    /** Returns a field of numbers. */
    public static IndexField numeric(CharSequence name) {
        return of(name, Tokens.NUMERIC);
    }

    /** Returns a field of tags, which match as a whole. */
    public static IndexField tag(CharSequence name) {
        return of(name, Tokens.TAG);
    }

    /** Returns a field of places: longitude and latitude. */
    public static IndexField geo(CharSequence name) {
        return of(name, Tokens.GEO);
    }

    /**
     * Returns a field of areas.
     *
     * @param coordinates {@code SPHERICAL} or {@code FLAT}
     */
    public static IndexField geoshape(CharSequence name, CharSequence coordinates) {
        return of(name, new Object[] {Tokens.GEOSHAPE, Words.text(coordinates)});
    }

    /**
     * Returns a field of vectors.
     *
     * @param algorithm {@code FLAT}, {@code HNSW} or another one that the server has
     * @param attributes {@code TYPE}, {@code DIM}, {@code DISTANCE_METRIC} and those of the algorithm
     */
    public static IndexField vector(CharSequence name, CharSequence algorithm,
            Map<? extends CharSequence, ? extends CharSequence> attributes) {
        return of(name, new Object[] {Tokens.VECTOR, Words.text(algorithm),
            Words.counted(Words.pairs(attributes, "attribute"))});
    }

    /** With the name that queries use for it. */
    public IndexField as(CharSequence alias) {
        return with(1, new Object[] {Tokens.AS, Words.text(alias)});
    }

    /** With how much it counts in the score of a document: of text. */
    public IndexField weight(double weight) {
        return with(3, new Object[] {Tokens.WEIGHT, weight});
    }

    /** With {@code PHONETIC}: words that sound alike match: of text. */
    public IndexField phonetic(CharSequence matcher) {
        return with(4, new Object[] {Tokens.PHONETIC, Words.text(matcher)});
    }

    /** With {@code NOSTEM}: words match as they are: of text. */
    public IndexField nostem() {
        return with(5, Tokens.NOSTEM);
    }

    /** With what stands between tags, a comma otherwise: of tags. */
    public IndexField separator(CharSequence separator) {
        return with(6, new Object[] {Tokens.SEPARATOR, Words.text(separator)});
    }

    /** With {@code CASESENSITIVE}: of tags. */
    public IndexField casesensitive() {
        return with(7, Tokens.CASESENSITIVE);
    }

    /** With {@code WITHSUFFIXTRIE}: searches for the ends and the middle of words are faster: of text and tags. */
    public IndexField withsuffixtrie() {
        return with(8, Tokens.WITHSUFFIXTRIE);
    }

    /** With {@code NOINDEX}: it is only sorted by, and returned. */
    public IndexField noindex() {
        return with(9, Tokens.NOINDEX);
    }

    /** With {@code INDEXMISSING}: documents without it can be searched for. */
    public IndexField indexmissing() {
        return with(10, Tokens.INDEXMISSING);
    }

    /** With {@code INDEXEMPTY}: empty texts can be searched for: of text and tags. */
    public IndexField indexempty() {
        return with(11, Tokens.INDEXEMPTY);
    }

    /** With {@code SORTABLE}: results may be sorted by it. */
    public IndexField sortable() {
        return with(12, Tokens.SORTABLE);
    }

    /** With {@code SORTABLE UNF}: sorted as it is written, capitals and accents included. */
    public IndexField sortableUnf() {
        return with(12, new Object[] {Tokens.SORTABLE, Tokens.UNF});
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(words);
    }
}
