package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A {@code byte}, {@code short}, {@code int} or {@code long} whose bits are an unsigned number: {@code u8}, {@code
 * u16}, {@code u32} or {@code u64} in the schema. Boxed types and the elements of arrays ({@code @Unsigned int[]}) too.
 * Read the values with methods like {@link Integer#toUnsignedLong(int)}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface Unsigned {}
