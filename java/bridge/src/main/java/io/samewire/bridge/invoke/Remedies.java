package io.samewire.bridge.invoke;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What to do about arguments that fit no overload: texts for the mistakes that are made most. */
final class Remedies {
    private static final String OTHERWISE = "pass arguments of those types";
    /** Names of methods by which a class makes its objects of text, the usual ones first. */
    private static final List<String> MAKERS =
        List.of("of", "valueOf", "parse", "create", "fromString", "forLanguageTag", "compile", "forName");
    private static final List<Class<?>> INSTANTS =
        List.of(Instant.class, Date.class, OffsetDateTime.class, ZonedDateTime.class);

    private Remedies() {}

    /** Returns the remedy for arguments that fit none of some overloads. */
    static String of(List<Overload> candidates, List<ArgumentType> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            for (Overload one : candidates) {
                if (i < one.count()) {
                    String remedy = of(arguments.get(i), one.parameter(i));
                    if (remedy != null) {
                        return "argument " + (i + 1) + remedy;
                    }
                }
            }
        }
        return OTHERWISE;
    }

    private static String of(ArgumentType argument, Class<?> parameter) {
        if (Arrays.asList(argument.interfaces).contains(Iterator.class)
            && Collection.class.isAssignableFrom(parameter)) {
            return " is an iterator, whose number of elements is unknown: pass list(...) of it for a "
                + parameter.getName();
        } else if (argument.form == ArgumentType.Form.CALLABLE && parameter == Object.class) {
            return " is a callable, which may be any interface: say which, as in"
                + " gateway.implement(it, 'java.util.function.Function')";
        } else if (argument.form != ArgumentType.Form.VALUE || argument.natural == null) {
            return null;
        } else if (parameter == Optional.class) {
            return ": pass gateway.java.util.Optional.of(...) or .empty()";
        } else if (parameter == Map.Entry.class && List.class.isAssignableFrom(argument.natural)) {
            return ": pass gateway.java.util.Map.entry(key, value)";
        }
        String time = ofTime(argument.natural, parameter);
        return time != null ? time : argument.natural == String.class ? ofText(parameter) : null;
    }

    private static String ofTime(Class<?> natural, Class<?> parameter) {
        if (natural == LocalDateTime.class && INSTANTS.contains(parameter)) {
            return " is a time without a zone, and no instant: give it one, as in"
                + " value.replace(tzinfo=datetime.timezone.utc)";
        } else if (natural == LocalDate.class && (INSTANTS.contains(parameter) || parameter == LocalDateTime.class)) {
            return " is a date: pass a datetime.datetime";
        } else if (natural == Instant.class && parameter == LocalDateTime.class) {
            return " is an instant: pass its local time, as in value.replace(tzinfo=None)";
        } else if ((natural == Instant.class || natural == LocalDateTime.class) && parameter == LocalDate.class) {
            return " is a datetime: pass value.date()";
        }
        return (natural == Instant.class || natural == LocalDateTime.class) && parameter == LocalTime.class
            ? " is a datetime: pass value.time()" : null;
    }

    /** The method that makes an object of a class of text, as {@code ZoneId.of}. */
    private static String ofText(Class<?> parameter) {
        if (parameter.isPrimitive() || parameter.isArray() || parameter.isEnum()
            || !Modifier.isPublic(parameter.getModifiers())) {
            return null;
        }
        for (String name : MAKERS) {
            if (makes(parameter, name, String.class) || makes(parameter, name, CharSequence.class)) {
                return " is text: pass gateway." + parameter.getCanonicalName() + "." + name + "(...) of it";
            }
        }
        return null;
    }

    private static boolean makes(Class<?> type, String name, Class<?> text) {
        try {
            Method maker = type.getMethod(name, text);
            return Modifier.isStatic(maker.getModifiers()) && type.isAssignableFrom(maker.getReturnType());
        } catch (NoSuchMethodException | LinkageError none) {
            return false;
        }
    }
}
