package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The type arguments that Scala's compiler writes as {@code Object}: {@code Int}, {@code Double} and their like, and
 * {@code Any}. In {@code @Erased(Array(classOf[Int], classOf[Double])) prices: Map[Int, Option[Double]]} there is one
 * for each of them, from left to right; {@code classOf[Any]} for {@code Any}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface Erased {
    /** The classes, from left to right. */
    Class<?>[] value();
}
