package io.samewire.pack;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A type that is written as another by a {@link Converter}, which has a constructor without parameters. The annotation
 * precedes the type, also inside other types: {@code @As(MoneyText.class) Money price}, {@code Map<String,
 * @As(MoneyText.class) Money>}, {@code String @As(Csv.class) []}. On the declaration of a class it holds wherever
 * the class is used, unless a use or the codec has a converter of its own.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE_USE)
public @interface As {
    /** The converter. */
    Class<? extends Converter<?, ?>> value();
}
