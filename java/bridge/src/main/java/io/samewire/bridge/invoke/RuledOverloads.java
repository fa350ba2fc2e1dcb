package io.samewire.bridge.invoke;

import io.samewire.bridge.OverloadRule;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.PeerProxy;
import io.samewire.bridge.value.Primitives;
import io.samewire.bridge.wire.Definition;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Executable;
import java.util.List;

/** Chooses overloads by a gateway's rule instead of Java's. */
final class RuledOverloads {
    private final OverloadRule rule;

    /** Takes the rule. */
    RuledOverloads(OverloadRule rule) {
        this.rule = rule;
    }

    /**
     * Returns the overload that the rule chooses; null if Java's rules decide: there is one overload of as many
     * parameters and no null, or the rule finds none and there is no choice for a null.
     *
     * @param candidates the overloads by Java's rules
     * @throws SamewireException {@code type_mismatch} if the rule finds none for a null, or one that cannot be called
     *     so; {@code unsupported} if the policy denies it
     */
    Overload choose(Session session, Class<?> type, Definition definition, List<Overload> candidates,
        List<ArgumentType> arguments) {
        boolean hasNull = arguments.contains(ArgumentType.NULL);
        Class<?>[] classes = hasNull || isChoice(candidates, arguments.size()) ? classes(session, arguments) : null;
        if (classes == null) {
            return null;
        }
        String what = Dispatcher.name(type, definition);
        Executable chosen;
        try {
            chosen = rule.choose(type, definition.action() == Definition.CONSTRUCT ? "" : definition.member(), classes);
        } catch (LinkageError broken) {
            throw Dispatcher.unlisted(type, broken);
        }
        if (chosen == null && (!hasNull || candidates.size() == 1)) {
            return null;
        }
        Overload overload = chosen == null ? null : known(candidates, new Overload(chosen));
        if (overload == null || !fits(overload, definition, arguments)) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "no overload of " + what + " fits "
                + arguments + " by the gateway's rule" + (overload == null ? "" : ", which chooses "
                + overload) + "; pass arguments of the overload's types");
        }
        if (!session.policy().admits(overload.member())) {
            throw session.policy().denied(what);
        }
        return overload;
    }

    /** Whether there are several overloads with so many parameters: only then all members are listed. */
    private static boolean isChoice(List<Overload> candidates, int count) {
        int found = 0;
        for (Overload candidate : candidates) {
            found += candidate.count() == count ? 1 : 0;
        }
        return found > 1 && count > 0;
    }

    /** Returns the classes of arguments for the rule; null if a callable has no class. */
    private static Class<?>[] classes(Session session, List<ArgumentType> arguments) {
        Class<?>[] classes = new Class<?>[arguments.size()];
        for (int i = 0; i < classes.length; i++) {
            ArgumentType argument = arguments.get(i);
            switch (argument.form) {
                case NULL:
                    break;
                case CALLABLE:
                    return null;
                case PEER:
                    classes[i] = PeerProxy.type(session, argument.interfaces);
                    break;
                default:
                    classes[i] = Primitives.boxed(argument.natural);
                    break;
            }
        }
        return classes;
    }

    /** Returns the candidate for the same member, perhaps of a class that declares a narrower result. */
    private static Overload known(List<Overload> candidates, Overload chosen) {
        for (Overload candidate : candidates) {
            if (candidate.hasParameters(chosen)) {
                return candidate;
            }
        }
        return chosen;
    }

    private static boolean fits(Overload overload, Definition definition, List<ArgumentType> arguments) {
        if (overload.count() != arguments.size() || definition.action() == Definition.STATIC && !overload.isStatic()) {
            return false;
        }
        for (int i = 0; i < arguments.size(); i++) {
            if (Conversions.cost(arguments.get(i), overload.parameter(i)) == Conversions.NEVER) {
                return false;
            }
        }
        return true;
    }
}
