package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A type whose values may be null: {@code option<T>} in the schema. The annotation precedes the type, also inside other
 * types: {@code List<@Nullable String>}, {@code int @Nullable []}. Before a primitive element ({@code @Nullable
 * int[]}) it applies to the array, since the element cannot be null. Annotations on types that have this simple name
 * and are kept at run time, such as JSpecify's, mean the same.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface Nullable {}
