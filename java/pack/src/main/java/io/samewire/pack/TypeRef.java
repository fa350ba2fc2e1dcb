package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;

/**
 * A type with its type arguments and annotations, caught by an anonymous subclass: {@code new TypeRef<List<@Nullable
 * Book>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {
    private final AnnotatedType type;

    /** Catches the type argument of the subclass. */
    protected TypeRef() {
        AnnotatedType parent = getClass().getAnnotatedSuperclass();
        if (!(parent instanceof AnnotatedParameterizedType caught) || getClass().getSuperclass() != TypeRef.class) {
            throw new SamewireException(Code.MISUSE, -1, null, "write new TypeRef<TheType>() {}");
        }
        this.type = caught.getAnnotatedActualTypeArguments()[0];
    }

    /** The type caught. */
    public final AnnotatedType type() {
        return type;
    }

    /** The type as Java writes it. */
    @Override
    public String toString() {
        return type.toString();
    }
}
