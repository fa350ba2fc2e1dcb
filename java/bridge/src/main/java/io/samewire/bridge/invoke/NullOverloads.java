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

/** The overloads of calls with a null, by a rule that a gateway has in the place of Java's. */
final class NullOverloads {
    private final OverloadRule rule;

    /** Takes the rule. */
    NullOverloads(OverloadRule rule) {
        this.rule = rule;
    }

    /**
     * Returns the overload that the rule chooses; null if Java's rules decide, since there is no null, or since what is
     * called has one overload, which the rule would not convert the arguments to.
     *
     * @param candidates the overloads by Java's rules
     * @throws SamewireException {@code type_mismatch} if the rule finds none, or one that cannot be called so;
     *     {@code unsupported} if the policy denies it
     */
    Overload choose(Session session, Class<?> type, Definition definition, List<Overload> candidates,
        List<ArgumentType> arguments) {
        Class<?>[] classes = classes(session, arguments);
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
        if (chosen == null && candidates.size() == 1) {
            return null;
        }
        Overload overload = chosen == null ? null : known(candidates, new Overload(chosen));
        if (overload == null || !fits(overload, definition, arguments)) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "no overload of " + what + " fits "
                + arguments + " by the gateway's rule for nulls" + (overload == null ? "" : ", which chooses "
                + overload) + "; pass arguments of the overload's types");
        }
        if (!session.policy().admits(overload.member())) {
            throw session.policy().denied(what);
        }
        return overload;
    }

    /** Returns the classes of arguments as the rule takes them; null without a null, or if a callable has no class. */
    private static Class<?>[] classes(Session session, List<ArgumentType> arguments) {
        if (!arguments.contains(ArgumentType.NULL)) {
            return null;
        }
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

    /** Returns the candidate that is the same member, maybe of a class that declares a narrower result. */
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
