package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Null is a value of this type: {@code option<T>} in the schema. It stands before the type it means, also inside
 * others: {@code List<@Nullable String>}, {@code int @Nullable []}. Before a primitive element ({@code @Nullable
 * int[]}) it means the array, since the element cannot be null.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface Nullable {}
