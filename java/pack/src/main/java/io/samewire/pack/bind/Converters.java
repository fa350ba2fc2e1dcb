package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.As;
import io.samewire.pack.Converter;
import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.Map;

/** How types of the program are written that have no schema, or another one. */
public final class Converters {
    /** A converter with the types that it is between. */
    record Entry(Converter<?, ?> converter, JavaType type, JavaType wire) {}

    private final Map<JavaType, Entry> registered = new HashMap<>();
    private final Map<Class<?>, Entry> annotated = new HashMap<>();

    /** Adds a converter whose class says what it is between. */
    public void add(Converter<?, ?> converter) {
        Entry entry = entry(converter);
        registered.put(entry.type, entry);
    }

    /** Adds a converter between two classes. */
    public void add(Class<?> type, Class<?> wire, Converter<?, ?> converter) {
        registered.put(JavaType.of(type), new Entry(converter, JavaType.of(type), JavaType.of(wire)));
    }

    private static Entry entry(Converter<?, ?> converter) {
        Class<?> made = converter.getClass();
        if (made.isSynthetic() || made.getTypeParameters().length > 0) {
            throw NativeTypeReader.misuse(made.getName() + " does not say what it converts: let it implement"
                + " Converter<T, W>, or name both classes");
        }
        JavaType types = JavaType.of(made).as(Converter.class);
        return new Entry(converter, types.arguments().get(0), types.arguments().get(1));
    }

    /** The converter of a type; null if it is written as what it is. */
    Entry of(JavaType type) {
        if (type.converter() != null) {
            Entry entry = annotated(type.converter());
            Class<?> taken = entry.type.raw();
            if (taken != Body.boxOf(type.raw())) {
                throw NativeTypeReader.misuse("@As(" + type.converter().getSimpleName() + ".class) stands before "
                    + type.raw().getTypeName() + ", and converts " + taken.getTypeName()
                    + (taken.isArray() ? ": put it before the [] of the array"
                        : ": declare the one or convert the other"));
            }
            return entry;
        }
        Entry known = registered.get(type);
        if (known != null) {
            return known;
        }
        As declared = type.raw().getDeclaredAnnotation(As.class);
        return declared == null ? StandardConverters.of(type.raw()) : annotated(declared.value());
    }

    private Entry annotated(Class<? extends Converter<?, ?>> type) {
        Entry known = annotated.get(type);
        if (known == null) {
            known = entry(made(type));
            annotated.put(type, known);
        }
        return known;
    }

    private static Converter<?, ?> made(Class<? extends Converter<?, ?>> type) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            return (Converter<?, ?>) Access.reflectiveMaker(constructor).invoke();
        } catch (NoSuchMethodException none) {
            throw NativeTypeReader.misuse(type.getName() + " in @As needs a constructor without parameters");
        } catch (SamewireException | Error refused) {
            throw refused;
        } catch (Throwable thrown) {
            throw new SamewireException(Code.MISUSE, -1, null, type.getName() + " in @As cannot be made: " + thrown,
                thrown);
        }
    }

    /** Writes by the first what the second writes of it. */
    record Chain(Converter<Object, Object> first, Converter<Object, Object> second)
        implements Converter<Object, Object> {
        @Override
        public Object encode(Object value) {
            return second.encode(first.encode(value));
        }

        @Override
        public Object decode(Object wire) {
            return first.decode(second.decode(wire));
        }
    }
}
