package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value of a field that the writer's schema lacks ({@code spec/pack.md} section 13).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER})
public @interface Default {
    /**
     * A JSON literal for numbers, booleans and strings ({@code "42"}, {@code "true"}), {@code null} for options, {@code
     * []} for an empty list, set or map, and for strings, enums, dates and UUIDs plain text as well: {@code
     * @Default("2024-02-29")}.
     */
    String value();
}
