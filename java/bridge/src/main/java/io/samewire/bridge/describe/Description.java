package io.samewire.bridge.describe;

import io.samewire.bridge.Policy;
import io.samewire.bridge.invoke.Members;
import io.samewire.bridge.invoke.Overload;
import io.samewire.bridge.invoke.Signatures;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.Functional;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes the description of a class. */
final class Description {
    private static final int CONSTRUCTOR = 0;
    private static final int METHOD = 1;
    private static final int FIELD = 2;

    private static final int STATIC = 1;
    private static final int VARARGS = 2;
    private static final int FINAL = 4;
    private static final int DEFAULT = 8;
    private static final int ABSTRACT = 16;

    private final Session session;
    private final Class<?> type;
    private final Policy policy;

    Description(Session session, Class<?> type) {
        this.session = session;
        this.type = type;
        this.policy = session.policy();
    }

    /**
     * Writes the description after its first byte.
     *
     * @throws SamewireException {@code misuse} if a class that the description needs is absent
     */
    void write(Output out) {
        List<Class<?>> inner;
        List<Member> members;
        try {
            inner = inner();
            members = members();
        } catch (LinkageError broken) {
            throw new SamewireException(Code.MISUSE, -1, null, "the members of " + type.getName()
                + " cannot be listed: " + broken, broken);
        }
        out.varint(session.classes().number(type));
        out.string(Signatures.name(type));
        out.u8(form());
        out.string(type.getSuperclass() == null ? "" : Signatures.name(type.getSuperclass()));
        out.strings(supertypes());
        Method functional = Functional.method(type);
        out.string(functional == null ? "" : functional.getName());
        out.varint(inner.size());
        for (Class<?> one : inner) {
            out.string(one.getSimpleName());
            out.string(one.getName());
        }
        out.varint(members.size());
        for (Member member : members) {
            write(out, member);
        }
    }

    private int form() {
        return type.isPrimitive() ? 5 : type.isArray() ? 4 : type.isAnnotation() ? 6 : type.isInterface() ? 1
            : type.isEnum() ? 2 : type.isRecord() ? 3 : 0;
    }

    /** The superclasses from the nearest on, then the interfaces. */
    private String[] supertypes() {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        List<String> names = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at != type) {
                names.add(Signatures.name(at));
            }
            addInterfaces(interfaces, at);
        }
        for (Class<?> one : interfaces) {
            names.add(one.getName());
        }
        return names.toArray(new String[0]);
    }

    private static void addInterfaces(Set<Class<?>> found, Class<?> of) {
        for (Class<?> one : of.getInterfaces()) {
            if (found.add(one)) {
                addInterfaces(found, one);
            }
        }
    }

    private List<Class<?>> inner() {
        List<Class<?>> found = new ArrayList<>();
        for (Class<?> one : type.getClasses()) {
            if (Members.isReachable(one) && policy.admitsNamed(one)) {
                found.add(one);
            }
        }
        return found;
    }

    private List<Member> members() {
        List<Member> found = new ArrayList<>();
        if (policy.admitsNamed(type)) {
            for (Overload constructor : Members.constructors(type)) {
                add(found, constructor.member());
            }
        }
        for (Method method : Members.all(type)) {
            add(found, method);
        }
        for (Field field : type.getFields()) {
            if (Members.reachable(type, field)) {
                add(found, field);
            }
        }
        return found;
    }

    private void add(List<Member> found, Member member) {
        if (policy.admits(member)) {
            found.add(member);
        }
    }

    private static void write(Output out, Member member) {
        int modifiers = member.getModifiers();
        int flags = (Modifier.isStatic(modifiers) ? STATIC : 0) | (Modifier.isFinal(modifiers) ? FINAL : 0)
            | (Modifier.isAbstract(modifiers) ? ABSTRACT : 0);
        if (member instanceof Field) {
            out.u8(FIELD);
            out.u8(flags);
            out.string(member.getName());
            out.varint(0);
            out.string(Signatures.name(((Field) member).getType()));
            return;
        }
        boolean method = member instanceof Method;
        out.u8(method ? METHOD : CONSTRUCTOR);
        out.u8(flags | (((Executable) member).isVarArgs() ? VARARGS : 0)
            | (method && ((Method) member).isDefault() ? DEFAULT : 0));
        out.string(method ? member.getName() : "");
        Class<?>[] parameters = ((Executable) member).getParameterTypes();
        out.varint(parameters.length);
        for (Class<?> parameter : parameters) {
            out.string(Signatures.name(parameter));
        }
        out.string(method ? Signatures.name(((Method) member).getReturnType()) : "void");
    }
}
