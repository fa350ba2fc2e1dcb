package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Modifier;

/** Errors for classes that no type of the format stands for, with what to declare instead. */
final class Refusals {
    private Refusals() {}

    /** A class without a schema. */
    static SamewireException unsupported(Class<?> raw) {
        return new SamewireException(Code.UNSUPPORTED, -1, null,
            "there is no schema for " + raw.getName() + ": " + remedy(raw));
    }

    private static String remedy(Class<?> raw) {
        String name = raw.getName();
        String known = ofName(name);
        if (known != null) {
            return known;
        } else if (name.startsWith("kotlin.ranges.")) {
            return "use a data class of its two ends";
        } else if (name.startsWith("kotlin.jvm.functions.") || name.startsWith("java.util.function.")
            || name.startsWith("scala.Function")) {
            return "a function cannot be written: keep it outside of the fields and parameters that are";
        } else if (name.startsWith("scala.")) {
            return ofScala(name);
        } else if (Throwable.class.isAssignableFrom(raw)) {
            return "use a String, or a record of what you need of it";
        } else if (isUsers(name) && Modifier.isAbstract(raw.getModifiers()) && !raw.isPrimitive()) {
            return ofAbstract(raw);
        }
        return "use a record, a class, an enum, a sealed interface or a type of the table in Pack's documentation,"
            + " or write it by a Converter: give the codec's builder a converter(" + raw.getSimpleName()
            + ".class, String.class, …)";
    }

    private static boolean isUsers(String name) {
        return !name.startsWith("java.") && !name.startsWith("javax.") && !name.startsWith("kotlin.")
            && !name.startsWith("kotlinx.");
    }

    private static String ofAbstract(Class<?> raw) {
        if (ScalaTypes.isTrait(raw)) {
            return "use @Members(Array(classOf[A], classOf[B])) before it: class files of Scala do not say what"
                + " extends it";
        } else if (KotlinMetadata.of(raw) != null) {
            return "make it sealed, or put @Members(A::class, B::class) before it, with what extends it";
        }
        return "make it sealed, or put @Members({A.class, B.class}) before it, with what extends it";
    }

    private static String ofName(String name) {
        return switch (name) {
            case "java.lang.CharSequence", "java.lang.StringBuilder", "java.lang.StringBuffer", "scala.Symbol" ->
                "use String";
            case "java.lang.Iterable", "java.util.Iterator", "java.util.stream.Stream", "kotlin.sequences.Sequence" ->
                "use List";
            case "java.lang.Number" -> "use the class that the numbers have, or Object";
            case "java.nio.ByteBuffer", "java.io.InputStream", "java.util.BitSet" -> "use byte[]";
            case "java.util.Calendar", "java.util.GregorianCalendar", "java.sql.Timestamp" -> "use Instant";
            case "java.sql.Date" -> "use java.time.LocalDate";
            case "java.sql.Time" -> "use java.time.LocalTime";
            case "java.time.ZonedDateTime" -> "use Instant, and a field of its own for the zone";
            case "java.time.LocalDateTime" -> "use Instant, or a LocalDate and a LocalTime";
            case "java.time.OffsetTime" -> "use LocalTime, and an int for the offset";
            case "java.time.Year" -> "use int";
            case "kotlin.time.Duration", "scala.concurrent.duration.Duration",
                "scala.concurrent.duration.FiniteDuration" -> "use java.time.Duration";
            case "kotlin.time.Instant", "kotlinx.datetime.Instant" -> "use java.time.Instant";
            case "kotlinx.datetime.LocalDate" -> "use java.time.LocalDate";
            case "kotlin.uuid.Uuid" -> "use java.util.UUID";
            case "kotlin.Lazy" -> "use the class of its value";
            case "kotlin.Result" -> "use a sealed class with a data class for success and one for failure";
            case "void", "java.lang.Void", "kotlin.Unit", "scala.runtime.BoxedUnit", "scala.runtime.Null$",
                "scala.runtime.Nothing$" -> "leave it out, since it says nothing";
            case "java.util.Map$Entry" -> "use a @Tuple record";
            case "java.util.concurrent.atomic.AtomicInteger" -> "use int";
            case "java.util.concurrent.atomic.AtomicLong" -> "use long";
            case "java.util.concurrent.atomic.AtomicBoolean" -> "use boolean";
            default -> null;
        };
    }

    private static String ofScala(String name) {
        return "use " + (name.startsWith("scala.Tuple") || name.startsWith("scala.runtime.Tuple") ? "a case class"
            : name.startsWith("scala.Enumeration") ? "an enum of Java's, or in Scala 3 enum A extends"
            + " java.lang.Enum[A]"
            : name.equals("scala.Some") || name.equals("scala.None$") ? "Option"
            : name.startsWith("scala.collection") ? "List, Vector, Seq, Set or Map of scala.collection.immutable"
            : name.startsWith("scala.util.Either") || name.startsWith("scala.util.Try")
            ? "a sealed trait with @Members and two case classes"
            : "a case class, or write it by a Converter");
    }
}
