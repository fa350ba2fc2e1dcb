package io.samewire.bridge.invoke;

import io.samewire.bridge.value.Target;
import io.samewire.bridge.wire.Kind;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The types of members' parameters. Type arguments and annotations are read only if they matter, for containers, pack
 * messages and Python objects that implement a generic interface: reading them from a class file costs the first call
 * milliseconds.
 */
final class Targets {
    private Targets() {}

    /**
     * Returns the targets for the arguments of a call.
     *
     * @param kinds the kinds of the arguments, from {@code from} on
     */
    static Target[] of(Overload overload, boolean spread, List<Kind> kinds, int from) {
        Target[] targets = new Target[kinds.size() - from];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = of(overload, spread, i, kinds.get(from + i));
        }
        return targets;
    }

    private static Target of(Overload overload, boolean spread, int i, Kind kind) {
        Class<?> declared = overload.parameter(i, spread);
        boolean packed = kind.form() == Kind.Form.PACK;
        boolean implemented = kind.form() == Kind.Form.PEER && declared.getTypeParameters().length > 0;
        if (!packed && !implemented && isPlain(declared)) {
            return Target.of(declared);
        }
        Type[] types = overload.member().getGenericParameterTypes();
        int last = overload.count() - 1;
        if (types.length != overload.count()) {
            // A constructor of an inner class: its generic signature lacks the parameters that the compiler has added.
            return Target.of(declared);
        } else if (spread && i >= last) {
            return Target.of(types[last]).element();
        }
        AnnotatedType[] annotated = packed ? overload.member().getAnnotatedParameterTypes() : new AnnotatedType[0];
        return annotated.length == overload.count() ? Target.of(annotated[i]) : Target.of(types[i]);
    }

    /** Returns the target for the value of a field. */
    static Target of(Field field, Kind kind) {
        if (kind.form() == Kind.Form.PACK) {
            return Target.of(field.getAnnotatedType());
        }
        return kind.form() != Kind.Form.PEER && isPlain(field.getType()) ? Target.of(field.getType())
            : Target.of(field.getGenericType());
    }

    /** Whether the class suffices: it is not a container. */
    private static boolean isPlain(Class<?> type) {
        Class<?> leaf = type;
        while (leaf.isArray()) {
            leaf = leaf.getComponentType();
        }
        return leaf.isPrimitive() || leaf == String.class || !Iterable.class.isAssignableFrom(leaf)
            && !Map.class.isAssignableFrom(leaf) && !Iterator.class.isAssignableFrom(leaf);
    }
}
