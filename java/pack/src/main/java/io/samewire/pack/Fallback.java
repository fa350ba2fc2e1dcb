package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what is read where a writer has a symbol or member that the reader lacks ({@code spec/pack.md} section 13): a
 * constant of an enum, or a class in a sealed type, which has no fields or only a {@code String name}, the member's.
 * Elements of sets and keys of maps do not fall back: two of them could become one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Fallback {}
