package io.samewire.redis.command;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks methods, or all methods of a class, whose result must be used: a command that nobody executes does nothing.
 * Error Prone finds this annotation by its simple name, and reports such calls ({@code CheckReturnValue}).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface CheckReturnValue { }
