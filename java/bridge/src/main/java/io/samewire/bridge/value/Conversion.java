package io.samewire.bridge.value;

import io.samewire.bridge.session.PeerObject;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/** Converts a value that was read to its parameter's type, including elements of containers. */
public final class Conversion {
    private Conversion() {}

    /**
     * Converts a value to a target's class, boxed if that is primitive. A value that fits with all its elements is
     * returned unchanged.
     *
     * @throws io.samewire.core.SamewireException {@code type_mismatch} without an offset if it does not fit
     */
    public static Object convert(Object value, Target target) {
        Class<?> type = target.raw();
        if (value == null) {
            if (type.isPrimitive()) {
                throw Mismatch.of(null, type);
            }
            return null;
        } else if (value instanceof PeerObject) {
            return PeerProxy.of((PeerObject) value, target);
        } else if (type == Object.class) {
            return value;
        } else if (type.isInstance(value)) {
            return value instanceof Collection || value instanceof Map || value instanceof Object[]
                ? ContainerConversion.elements(value, target) : PeerProxy.typed(value, target);
        }
        Class<?> boxed = Primitives.boxed(type);
        if (boxed != type && boxed.isInstance(value)) {
            return value;
        }
        return converted(value, boxed, target);
    }

    private static Object converted(Object value, Class<?> type, Target target) {
        if (value instanceof Number) {
            if (type == Character.class || !isNumber(type)) {
                throw Mismatch.of(value, target.raw());
            }
            return NumberConversion.convert((Number) value, type);
        } else if (value instanceof String) {
            return text((String) value, type);
        } else if (value instanceof Character && type.isAssignableFrom(String.class)) {
            return value.toString();
        } else if (value instanceof byte[] && type == ByteBuffer.class) {
            return ByteBuffer.wrap((byte[]) value);
        } else if (value instanceof byte[] && type == InputStream.class) {
            return new ByteArrayInputStream((byte[]) value);
        }
        Object time = Times.converted(value, type);
        if (time != null) {
            return time;
        } else if (type.isArray() || Collection.class.isAssignableFrom(type) || type == Iterable.class
            || Map.class.isAssignableFrom(type) || type == Iterator.class) {
            return ContainerConversion.made(value, target);
        }
        PeerObject peer = PeerProxy.peer(value);
        if (peer != null) {
            // It was in a container, with its own interfaces.
            return PeerProxy.of(peer, target);
        }
        throw Mismatch.of(value, target.raw());
    }

    private static boolean isNumber(Class<?> boxed) {
        return Primitives.unboxed(boxed) != null && boxed != Boolean.class || boxed == BigInteger.class
            || boxed == BigDecimal.class;
    }

    private static Object text(String value, Class<?> type) {
        if (type == Character.class) {
            if (value.length() != 1) {
                throw Mismatch.of(value, char.class, ": pass a text of one UTF-16 unit");
            }
            return value.charAt(0);
        } else if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(value)) {
                    return constant;
                }
            }
            throw Mismatch.of(value, type, ": it has no constant of that name");
        } else if (type == File.class) {
            return new File(value);
        } else if (type == Path.class) {
            try {
                return Path.of(value);
            } catch (InvalidPathException refused) {
                throw Mismatch.of(value, type, ": " + refused.getReason());
            }
        }
        throw Mismatch.of(value, type);
    }
}
