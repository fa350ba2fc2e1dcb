package io.samewire.pack;

/**
 * The first place, in the order of one schema, where another is not the same ({@code spec/pack.md} section 13).
 *
 * @param path like {@code $.books[].year}
 * @param here what stands there in the schema that was asked: a type without its parts, or {@code symbol b},
 *     {@code member B}, {@code place 0}, {@code nothing}
 * @param there what stands there in the other
 */
public record Difference(String path, String here, String there) {
    /** As in {@code $.books[].year: i32 here, i64 there}. */
    @Override
    public String toString() {
        return path + ": " + here + " here, " + there + " there";
    }
}
