package io.samewire.pack;

/**
 * The first place, in the order of one schema, where another differs ({@code spec/pack.md} section 13).
 *
 * @param path the place, like {@code $.books[].year}
 * @param here what the first schema has there: a type without its parts, {@code symbol b}, {@code member B},
 *     {@code place 0} or {@code nothing}
 * @param there what the other schema has there
 */
public record Difference(String path, String here, String there) {
    /** Returns a text like {@code $.books[].year: i32 here, i64 there}. */
    @Override
    public String toString() {
        return path + ": " + here + " here, " + there + " there";
    }
}
