package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.Conversion;
import io.samewire.bridge.value.Target;
import io.samewire.bridge.value.ValueWriter;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Kind;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Reads and writes of public fields. */
final class Fields {
    private Fields() {}

    static Invocation resolve(Session session, Class<?> type, Definition definition, ArgumentReader receiver) {
        int arguments = definition.arguments().size() - (receiver == null ? 0 : 1);
        boolean set = isSet(definition);
        if (arguments != (set ? 1 : 0)) {
            throw new SamewireException(Code.MISUSE, -1, null, "a field is read without arguments and set with one");
        }
        if (isLength(type, definition)) {
            return new Call(session, new Callee.Length(), receiver, new ArgumentReader[0], 0, null,
                ValueWriter.of(session, Target.of(int.class), definition.result()));
        }
        Field field = find(session, type, definition);
        if (!set) {
            return new Call(session, new Callee.Get(field), receiver, new ArgumentReader[0], 0, null,
                definition.result().isEmpty() ? ValueWriter.of(session, field.getType())
                : ValueWriter.of(session, Target.of(field.getAnnotatedType()), definition.result()));
        }
        Kind kind = definition.arguments().get(receiver == null ? 0 : 1);
        ArgumentReader value = ArgumentReader.of(session, kind, Targets.of(field, kind));
        ArgumentType given = ArgumentTypes.of(session, value.kind());
        if (given != null && Conversions.cost(given, field.getType()) == Conversions.NEVER) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, given + " does not fit the field "
                + field.getName() + ", a " + Signatures.name(field.getType()));
        }
        return new Call(session, new Callee.Set(field), receiver, new ArgumentReader[] {value}, 1, null,
            ValueWriter.VOID);
    }

    /** Returns the callee that reads or writes a field; the value to write is converted in place. */
    static Callee callee(Session session, Class<?> type, Definition definition, Object[] values) {
        if (isLength(type, definition)) {
            return new Callee.Length();
        }
        Field field = find(session, type, definition);
        if (!isSet(definition)) {
            return new Callee.Get(field);
        }
        values[0] = Conversion.convert(values[0], Target.of(field.getGenericType()));
        return new Callee.Set(field);
    }

    private static boolean isSet(Definition definition) {
        return definition.action() == Definition.SET || definition.action() == Definition.STATIC_SET;
    }

    private static boolean isLength(Class<?> type, Definition definition) {
        return type.isArray() && definition.action() == Definition.GET && definition.member().equals("length");
    }

    private static Field find(Session session, Class<?> type, Definition definition) {
        Field field = Members.field(type, definition.member());
        boolean needsStatic = definition.action() == Definition.STATIC_GET
            || definition.action() == Definition.STATIC_SET;
        if (field == null || needsStatic && !Modifier.isStatic(field.getModifiers())) {
            throw new SamewireException(Code.MISUSE, -1, null, Signatures.name(type) + " has no public "
                + (needsStatic ? "static " : "") + "field " + definition.member());
        } else if (!session.policy().admits(field)) {
            throw session.policy().denied(type.getName() + '#' + field.getName());
        } else if (isSet(definition) && Modifier.isFinal(field.getModifiers())) {
            throw new SamewireException(Code.MISUSE, -1, null, "the field " + field.getName() + " of "
                + Signatures.name(type) + " is final");
        }
        return field;
    }
}
