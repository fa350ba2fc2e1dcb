package io.samewire.bench.redis;

import java.io.IOException;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One library set up for one workload. What it cannot do it returns null for. */
interface Library {
    /** What the lab shows of it. */
    String about();

    /** A class of the library, which tells its version. */
    Class<?> from();

    /** Whether rows of it are what no library can beat. */
    default boolean isLimit() {
        return false;
    }

    /** Makes the value of the wire's bytes; the result is what a program would be given. */
    default Supplier<Object> decode(Shape shape) {
        return null;
    }

    /** The result of decoding as the shape has it. */
    default Object plain(Object result) {
        return result;
    }

    /** Writes the value into memory that is kept; returns anything. */
    default Supplier<Object> encode(Shape shape) {
        return null;
    }

    /** What the last encoding wrote. */
    default byte[] written() {
        return new byte[0];
    }

    /** Which of the workloads on a server its client carries. */
    default Set<Shape.Kind> calls() {
        return Set.of();
    }

    /** Connects to the server at a port of this machine; each call of the result is one operation. */
    default Supplier<Object> call(Shape shape, int port) throws IOException {
        throw new UnsupportedOperationException(shape.name());
    }

    /** What tells the client's CPU time. */
    default LongSupplier clock() {
        return Operations.OF_PROCESS;
    }

    /** Whether it is a program that needs no warm-up. */
    default boolean isCompiled() {
        return false;
    }

    /** How many commands one operation sends. */
    default int count(Shape shape) {
        return shape.count();
    }

    /** That of the jar it comes from; ours is built beside the lab, which tells it. */
    default String version() {
        Pattern jar = Pattern.compile("-(\\d[^/]*)\\.jar$");
        if (from().getProtectionDomain().getCodeSource() == null) {
            return Runtime.version().toString();
        }
        Matcher found = jar.matcher(from().getProtectionDomain().getCodeSource().getLocation().getPath());
        return found.find() ? found.group(1) : System.getProperty("samewire.version", "built here");
    }
}
