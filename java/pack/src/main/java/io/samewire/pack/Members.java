package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The members of the union that an interface or abstract class is, where its class file does not say which classes
 * extend it: {@code @Members(Array(classOf[Circle], classOf[Nowhere.type])) sealed trait Shape} in Scala. Java's own
 * sealed types, and Kotlin's, need none.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Members {
    /** Members, or sealed types of which the members are those of theirs. */
    Class<?>[] value();
}
