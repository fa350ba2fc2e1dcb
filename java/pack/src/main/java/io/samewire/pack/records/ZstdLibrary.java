package io.samewire.pack.records;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * zstd-jni's functions, where the program has it.
 *
 * <p>They are found by name: this library may belong to a class loader that does not see zstd-jni. In Spark's driver it
 * is the boot loader's, and zstd-jni the application's.
 */
final class ZstdLibrary {
    private static final Class<?> BYTES = byte[].class;
    private static final Class<?> CLASS = find();
    private static final MethodHandle BOUND = handle("compressBound", long.class, long.class);
    private static final MethodHandle COMPRESS = handle("compressByteArray", long.class, BYTES, int.class, int.class,
        BYTES, int.class, int.class, int.class);
    /** Before 1.5.6 it has the other name, and 0 for a frame that states no size. */
    private static final MethodHandle CONTENT_SIZE = either(
        handle("getFrameContentSize", long.class, BYTES, int.class, int.class),
        handle("decompressedSize", long.class, BYTES, int.class, int.class));
    private static final MethodHandle EXPAND = handle("decompressByteArray", long.class, BYTES, int.class, int.class,
        BYTES, int.class, int.class);

    private ZstdLibrary() {}

    /** Returns whether all of its functions are there. */
    static boolean found() {
        return BOUND != null && COMPRESS != null && CONTENT_SIZE != null && EXPAND != null;
    }

    /** Returns the most bytes of a frame with {@code length} bytes of content. */
    static long bound(long length) {
        try {
            return (long) BOUND.invokeExact(length);
        } catch (Throwable failed) {
            throw unchecked(failed);
        }
    }

    /** Writes a frame of the first {@code length} bytes of {@code content}; returns how many bytes it takes. */
    static long compress(byte[] frame, byte[] content, int length, int level) {
        try {
            return (long) COMPRESS.invokeExact(frame, 0, frame.length, content, 0, length, level);
        } catch (Throwable failed) {
            throw unchecked(failed);
        }
    }

    /** Returns the size of the content that a frame states. */
    static long contentSize(byte[] data, int from, int length) {
        try {
            return (long) CONTENT_SIZE.invokeExact(data, from, length);
        } catch (Throwable failed) {
            throw unchecked(failed);
        }
    }

    /** Fills {@code content} from a frame; returns how many bytes came. Throws a RuntimeException for a corrupt one. */
    static long expand(byte[] content, byte[] data, int from, int length) {
        try {
            return (long) EXPAND.invokeExact(content, 0, content.length, data, from, length);
        } catch (Throwable failed) {
            throw unchecked(failed);
        }
    }

    private static RuntimeException unchecked(Throwable failed) {
        if (failed instanceof Error error) {
            throw error;
        }
        return failed instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failed);
    }

    private static Class<?> find() {
        Class<?> own = find(ZstdLibrary.class.getClassLoader());
        return own != null ? own : find(ClassLoader.getSystemClassLoader());
    }

    private static Class<?> find(ClassLoader loader) {
        try {
            return Class.forName("com.github.luben.zstd.Zstd", true, loader);
        } catch (ClassNotFoundException | LinkageError missing) {
            // The class, or the library for this processor.
            return null;
        }
    }

    private static MethodHandle either(MethodHandle first, MethodHandle second) {
        return first != null ? first : second;
    }

    private static MethodHandle handle(String name, Class<?> result, Class<?>... parameters) {
        if (CLASS == null) {
            return null;
        }
        try {
            return MethodHandles.publicLookup().findStatic(CLASS, name, methodType(result, parameters));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }
}
