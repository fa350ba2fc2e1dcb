package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names that a struct, enum or field has in the schemas of other writers ({@code spec/pack.md} section 13). Its own
 * name comes first, then the first of these that the writer's schema has.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.PARAMETER})
public @interface Alias {
    /** The names: each has 1 to 255 UTF-16 code units, and no other field or type may have it. */
    String[] value();
}
