package io.samewire.bridge.invoke;

import io.samewire.bridge.OverloadRule;
import io.samewire.bridge.describe.DescribeCall;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.Resolver;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.PeerProxy;
import io.samewire.bridge.value.Primitives;
import io.samewire.bridge.value.Records;
import io.samewire.bridge.value.Target;
import io.samewire.bridge.value.ValueWriter;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Kind;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Constructor;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Resolves definitions of sites to members. One for each gateway; thread-safe. */
public final class Dispatcher implements Resolver, Records.Holder, PeerProxy.Interfaces {
    /** Null if Java's rules choose. */
    private final RuledOverloads ruled;
    private volatile Records records;

    /** Creates one that chooses overloads as Java does. */
    public Dispatcher() {
        ruled = null;
    }

    /** Creates one that chooses overloads by a rule, and as Java does if the rule finds none. */
    public Dispatcher(OverloadRule rule) {
        ruled = new RuledOverloads(rule);
    }

    @Override
    public Records records(Session session) {
        Records known = records;
        if (known == null || !known.isOf(session)) {
            known = new Records(session.records(), session.limits());
            records = known;
        }
        return known;
    }

    @Override
    public Invocation resolve(Session session, Definition definition) {
        switch (definition.action()) {
            case Definition.DESCRIBE:
                return DescribeCall.of(session, definition);
            case Definition.METHOD:
            case Definition.GET:
            case Definition.SET:
                return ofObject(session, definition);
            default:
                Class<?> type = ClassNames.find(session, definition.className());
                session.policy().checkNamed(type);
                return definition.action() == Definition.STATIC_GET || definition.action() == Definition.STATIC_SET
                    ? Fields.resolve(session, type, definition, null) : call(session, definition, type, null);
        }
    }

    @Override
    public Class<?>[] interfaces(Session session, Kind kind) {
        return ArgumentTypes.interfaces(session, kind);
    }

    private Invocation ofObject(Session session, Definition definition) {
        if (definition.arguments().isEmpty()) {
            throw new SamewireException(Code.MISUSE, -1, null, "a call of an object has no receiver");
        }
        Kind first = definition.arguments().get(0);
        if (first.form() == Kind.Form.OBJECT && first.number() != 0) {
            Class<?> type = session.classes().get(first.number());
            ArgumentReader receiver = ArgumentReader.of(session, first, Target.of(type));
            return definition.action() == Definition.METHOD ? call(session, definition, type, receiver)
                : Fields.resolve(session, type, definition, receiver);
        } else if (first.form() == Kind.Form.OBJECT || first.form() == Kind.Form.RESULT) {
            return new DynamicCall(session, this, definition, null, true);
        }
        throw new SamewireException(Code.MISUSE, -1, null, "the receiver of a call is an object, not of the kind "
            + first);
    }

    private Invocation call(Session session, Definition definition, Class<?> type, ArgumentReader receiver) {
        List<Kind> kinds = definition.arguments();
        int from = receiver == null ? 0 : 1;
        List<ArgumentType> types = new ArrayList<>(kinds.size());
        for (int i = from; i < kinds.size(); i++) {
            ArgumentType argument = ArgumentTypes.of(session, kinds.get(i));
            if (argument == null) {
                return new DynamicCall(session, this, definition, type, receiver != null);
            }
            types.add(argument);
        }
        if (receiver != null && type.isArray() && definition.member().equals("clone") && types.isEmpty()) {
            return new Call(session, new Callee.Clone(), receiver, new ArgumentReader[0], 0, null,
                ValueWriter.of(session, Target.OBJECT, definition.result().isEmpty() ? "object"
                    : definition.result()));
        }
        List<Overload> candidates = candidates(session, type, definition);
        Overloads.Choice choice = byRule(session, type, definition, candidates, types);
        if (choice == null) {
            choice = Overloads.choose(name(type, definition), candidates, types);
        }
        if (choice == null) {
            // The elements of a list decide, which may differ for each call.
            return new DynamicCall(session, this, definition, type, receiver != null);
        }
        Overload overload = choice.overload();
        Target[] targets = Targets.of(overload, choice.spread(), kinds, from);
        ArgumentReader[] readers = new ArgumentReader[types.size()];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = ArgumentReader.of(session, kinds.get(from + i), targets[i]);
        }
        Class<?> many = choice.spread() ? overload.parameter(overload.count() - 1).getComponentType() : null;
        return new Call(session, Callee.ofSite(overload.member()), receiver, readers, overload.count(), many,
            result(session, overload, definition.result()));
    }

    private static ValueWriter result(Session session, Overload overload, String asked) {
        Class<?> declared = overload.returnType();
        if (asked.isEmpty()) {
            // A new object is passed by reference, unless it is a value in both languages.
            return overload.member() instanceof Constructor && Primitives.unboxed(declared) == null
                && declared != String.class && declared != BigInteger.class && declared != BigDecimal.class
                ? ValueWriter.OBJECT : ValueWriter.of(session, declared);
        }
        return ValueWriter.of(session, Target.of(overload.member().getAnnotatedReturnType()), asked);
    }

    /** Returns the choice of the gateway's rule; null if Java's rules decide. */
    private Overloads.Choice byRule(Session session, Class<?> type, Definition definition, List<Overload> candidates,
        List<ArgumentType> arguments) {
        Overload chosen = ruled == null ? null : ruled.choose(session, type, definition, candidates, arguments);
        return chosen == null ? null : new Overloads.Choice(chosen, false);
    }

    /**
     * Returns the overload for arguments of these types.
     *
     * @throws SamewireException as {@link #candidates} and {@link Overloads#chosen}
     */
    Overloads.Choice chosen(Session session, Class<?> type, Definition definition, List<ArgumentType> arguments) {
        List<Overload> candidates = candidates(session, type, definition);
        Overloads.Choice choice = byRule(session, type, definition, candidates, arguments);
        return choice != null ? choice : Overloads.chosen(name(type, definition), candidates, arguments);
    }

    /**
     * Returns the error for a class whose members the JVM cannot list, for example since a class in them is missing.
     */
    static SamewireException unlisted(Class<?> type, LinkageError broken) {
        return new SamewireException(Code.MISUSE, -1, null, "the members of " + Signatures.name(type)
            + " cannot be listed: " + broken, broken);
    }

    /** Returns the name of a definition's member for errors. */
    static String name(Class<?> type, Definition definition) {
        return definition.action() == Definition.CONSTRUCT ? Signatures.name(type)
            : Signatures.name(type) + '.' + definition.member();
    }

    /**
     * Returns the candidates for the member of a call's definition.
     *
     * @throws SamewireException {@code misuse} if there is none; {@code unsupported} if the policy denies all
     */
    private static List<Overload> candidates(Session session, Class<?> type, Definition definition) {
        List<Overload> all;
        try {
            all = definition.action() == Definition.CONSTRUCT ? Members.constructors(type)
                : Members.methods(type, definition.member());
        } catch (LinkageError broken) {
            throw unlisted(type, broken);
        }
        List<Overload> found = new ArrayList<>(all.size());
        boolean denied = false;
        for (int i = 0; i < all.size(); i++) {
            Overload one = all.get(i);
            if (definition.action() == Definition.METHOD || one.isStatic()) {
                if (session.policy().admits(one.member())) {
                    found.add(one);
                } else {
                    denied = true;
                }
            }
        }
        if (found.isEmpty()) {
            if (denied) {
                throw session.policy().denied(name(type, definition));
            }
            String what = definition.action() == Definition.CONSTRUCT ? "constructor"
                : definition.action() == Definition.STATIC ? "static method " + definition.member()
                : "method " + definition.member();
            throw new SamewireException(Code.MISUSE, -1, null, Signatures.name(type) + " has no public " + what);
        }
        return found;
    }
}
