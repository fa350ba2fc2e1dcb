package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;

/**
 * A type with its type arguments and annotations, captured by an anonymous subclass: {@code new TypeRef<List<@Nullable
 * Book>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {
    private final AnnotatedType type;

    /** Captures the type argument of the subclass. */
    protected TypeRef() {
        AnnotatedType parent = getClass().getAnnotatedSuperclass();
        if (!(parent instanceof AnnotatedParameterizedType captured) || getClass().getSuperclass() != TypeRef.class) {
            throw new SamewireException(Code.MISUSE, -1, null, "write new TypeRef<TheType>() {}");
        }
        this.type = captured.getAnnotatedActualTypeArguments()[0];
    }

    /** Returns the captured type. */
    public final AnnotatedType type() {
        return type;
    }

    /** Returns the type as Java writes it. */
    @Override
    public String toString() {
        return type.toString();
    }
}
