package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The bits of this {@code byte}, {@code short}, {@code int} or {@code long} (boxed or not, or the elements of an array:
 * {@code @Unsigned int[]}) are an unsigned number: {@code u8}, {@code u16}, {@code u32} or {@code u64}, to be read with
 * {@link Integer#toUnsignedLong(int)} and its like.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface Unsigned {}
