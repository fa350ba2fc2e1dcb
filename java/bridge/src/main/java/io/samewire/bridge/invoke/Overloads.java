package io.samewire.bridge.invoke;

import io.samewire.bridge.value.Functional;
import io.samewire.bridge.value.Primitives;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the overload of a call as Java does (JLS 15.12.2): by subtyping and widening, then with boxing, then with a
 * variable number of arguments; of those that fit in a phase the most specific one. If Java's rules find one for the
 * natural types of the arguments, it is chosen. Only if they find none, the last two phases are repeated with the
 * conversions of {@link Conversions}, and then with those that may fail for the actual value.
 */
public final class Overloads {
    /** The most signatures that an error names. */
    private static final int MOST_SHOWN = 12;
    /** The highest cost of an argument in each phase, and whether the phase allows varargs. */
    private static final int[] COSTS = {Conversions.STRICT, Conversions.LOOSE, Conversions.LOOSE,
        Conversions.NARROWED - 1, Conversions.NARROWED - 1, Conversions.NEVER - 1, Conversions.NEVER - 1};
    private static final boolean[] SPREAD = {false, false, true, false, true, false, true};

    private Overloads() {}

    /**
     * An overload that was chosen.
     *
     * @param overload the overload
     * @param spread whether the arguments from its last parameter on are elements of that parameter's array
     */
    public record Choice(Overload overload, boolean spread) {}

    /**
     * Returns the overload for arguments of these types; null if two are equally good, and the elements of a list may
     * decide between them.
     *
     * @param what the name of what is called, for errors
     * @throws SamewireException as {@link #chosen}
     */
    static Choice choose(String what, List<Overload> candidates, List<ArgumentType> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).isOpenList()) {
                return chosen(what, candidates, arguments, true);
            }
        }
        return chosen(what, candidates, arguments, false);
    }

    /**
     * Returns the overload for arguments of these types.
     *
     * @param what the name of what is called, for errors
     * @throws SamewireException {@code type_mismatch} if none fits or two are equally good; the text has the signatures
     */
    public static Choice chosen(String what, List<Overload> candidates, List<ArgumentType> arguments) {
        return chosen(what, candidates, arguments, false);
    }

    private static Choice chosen(String what, List<Overload> candidates, List<ArgumentType> arguments,
        boolean undecided) {
        List<Overload> possible = possible(candidates, arguments);
        List<List<Overload>> rounds = possible.isEmpty() || possible.size() == candidates.size() ? List.of(candidates)
            : List.of(possible, candidates);
        for (List<Overload> round : rounds) {
            for (int phase = 0; phase < COSTS.length; phase++) {
                List<Overload> fitting = fitting(round, arguments, phase);
                if (!fitting.isEmpty()) {
                    Overload best = mostSpecific(fitting, arguments, phase);
                    if (best == null && !undecided) {
                        throw ambiguous(what, fitting, arguments);
                    }
                    return best == null ? null : new Choice(best, SPREAD[phase]);
                }
            }
        }
        throw new SamewireException(Code.TYPE_MISMATCH, -1, null, (candidates.size() == 1 ? "the signature of "
            : "no overload of ") + what + (candidates.size() == 1 ? " does not fit (" : " fits (") + texts(arguments)
            + "): " + shown(candidates) + "; " + Remedies.of(candidates, arguments));
    }

    /**
     * Returns the overloads that fit callables by their number of arguments: for lambdas the potentially applicable
     * ones (JLS 15.12.2.1).
     */
    private static List<Overload> possible(List<Overload> candidates, List<ArgumentType> arguments) {
        List<Overload> found = candidates;
        for (int i = 0; i < arguments.size(); i++) {
            ArgumentType argument = arguments.get(i);
            if (argument.form == ArgumentType.Form.CALLABLE && argument.callable != null) {
                List<Overload> before = found;
                found = new ArrayList<>();
                for (Overload one : before) {
                    if (one.count() > i && takes(argument, one.parameter(i))
                        || one.isVarArgs() && i >= one.count() - 1 && takes(argument, one.parameter(i, true))) {
                        found.add(one);
                    }
                }
            }
        }
        return found;
    }

    private static boolean takes(ArgumentType argument, Class<?> parameter) {
        Method method = Functional.method(parameter);
        return method != null && argument.takes(method.getParameterCount());
    }

    private static List<Overload> fitting(List<Overload> candidates, List<ArgumentType> arguments, int phase) {
        List<Overload> fitting = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            if (fits(candidates.get(i), arguments, COSTS[phase], SPREAD[phase])) {
                fitting.add(candidates.get(i));
            }
        }
        return fitting;
    }

    private static boolean fits(Overload candidate, List<ArgumentType> arguments, int most, boolean spread) {
        int count = arguments.size();
        int declared = candidate.count();
        if (spread ? !candidate.isVarArgs() || count < declared - 1 : count != declared) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (Conversions.cost(arguments.get(i), candidate.parameter(i, spread)) > most) {
                return false;
            }
        }
        return true;
    }

    private static SamewireException ambiguous(String what, List<Overload> fitting, List<ArgumentType> arguments) {
        return new SamewireException(Code.TYPE_MISMATCH, -1, null, what + "(" + texts(arguments) + ") is ambiguous: "
            + shown(fitting) + "; " + advice(fitting.get(0), arguments));
    }

    /** The remedy for an ambiguous call: a cast of the first argument without a type, else of any. */
    private static String advice(Overload first, List<ArgumentType> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            ArgumentType.Form form = arguments.get(i).form;
            if (form == ArgumentType.Form.CALLABLE || form == ArgumentType.Form.NULL) {
                boolean spread = i >= first.count();
                return "say which is meant: bridge.cast(" + (form == ArgumentType.Form.NULL ? "None" : "function")
                    + ", '" + Signatures.name(first.parameter(i, spread)) + "')";
            }
        }
        return "say which is meant: bridge.cast(argument, 'the type')";
    }

    /** Returns the most specific of overloads that fit; null if there is none. */
    private static Overload mostSpecific(List<Overload> fitting, List<ArgumentType> arguments, int phase) {
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        boolean converted = COSTS[phase] > Conversions.LOOSE;
        for (int i = 0; i < fitting.size(); i++) {
            boolean best = true;
            for (int j = 0; j < fitting.size() && best; j++) {
                best = i == j
                    || isMoreSpecific(fitting.get(i), fitting.get(j), arguments, SPREAD[phase], converted);
            }
            if (best) {
                return fitting.get(i);
            }
        }
        return null;
    }

    private static boolean isMoreSpecific(Overload one, Overload other, List<ArgumentType> arguments, boolean spread,
        boolean converted) {
        for (int i = 0; i < arguments.size(); i++) {
            Class<?> mine = one.parameter(i, spread);
            Class<?> theirs = other.parameter(i, spread);
            ArgumentType argument = arguments.get(i);
            if (converted) {
                int order = Integer.compare(Conversions.cost(argument, mine), Conversions.cost(argument, theirs));
                if (order > 0) {
                    return false;
                } else if (order < 0) {
                    continue;
                }
            }
            if (!isMoreSpecific(mine, theirs, argument)) {
                return false;
            }
        }
        // No arguments for the varargs parameter: its type decides.
        int next = arguments.size();
        return !spread || other.count() != next + 1
            || isSubtype(one.parameter(Math.min(next, one.count() - 1), true), other.parameter(next, true));
    }

    private static boolean isMoreSpecific(Class<?> mine, Class<?> theirs, ArgumentType argument) {
        return isSubtype(mine, theirs)
            || argument.form == ArgumentType.Form.CALLABLE && Functional.isMoreSpecific(mine, theirs);
    }

    private static boolean isSubtype(Class<?> one, Class<?> other) {
        return one.isPrimitive() && other.isPrimitive() ? Primitives.widens(one, other) : other.isAssignableFrom(one);
    }

    private static String texts(List<ArgumentType> arguments) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < arguments.size(); i++) {
            text.append(i == 0 ? "" : ", ").append(arguments.get(i));
        }
        return text.toString();
    }

    private static String shown(List<Overload> overloads) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < overloads.size() && i < MOST_SHOWN; i++) {
            text.append(i == 0 ? "" : "; ").append(overloads.get(i));
        }
        if (overloads.size() > MOST_SHOWN) {
            text.append("; and ").append(overloads.size() - MOST_SHOWN).append(" more");
        }
        return text.toString();
    }
}
