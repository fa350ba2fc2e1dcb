package io.samewire.pack;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/** What classes of other languages are compared with. */
public final class LanguageRecords {
    private LanguageRecords() {}

    /** An enum. */
    public enum Kind { NOVEL, ESSAY }

    /** A struct inside others. */
    public record Author(String name, @Nullable Integer born) {}

    /** Every kind of field. */
    public record Book(String title, @Default("1900") int year, List<@Nullable String> tags, @Nullable Author author,
        @Nullable Double rating, Map<String, List<@Nullable Author>> byName, Kind kind, @Name("ISBN") String isbn,
        Object any, LocalDate on, byte[] raw) {}

    /** Unsigned numbers. */
    public record Counts(@Unsigned int small, @Unsigned long large, List<@Unsigned Integer> all,
        @Nullable @Unsigned Integer maybe, @Unsigned int[] row, List<String> ids, @Nullable String other) {}

    /** A union with members without fields. */
    public sealed interface Shape permits Circle, Square, Nowhere {}

    /** A member. */
    public record Circle(double r) implements Shape {}

    /** A member with defaults. */
    public record Square(@Default("2") double side, @Default("4") double twice, String name) implements Shape {}

    /** A member without fields. */
    public record Nowhere() implements Shape {}

    /** A list of a union. */
    public record Drawing(List<Shape> shapes) {}
}
