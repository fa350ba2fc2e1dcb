package io.samewire.bridge;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The classes and members that clients of a gateway may use ({@code spec/bridge.md} section 14), by names. It is
 * checked when a site is resolved, a class described, and the first object of a class passed; not at each call.
 *
 * <p>A name is that of a class ({@code java.lang.Runtime}: with the classes nested in it), a package and all below it
 * ({@code java.lang.reflect} or {@code java.lang.reflect.*}), a member of a class or interface and of all that inherit
 * it ({@code java.lang.System#exit}: all overloads; {@code #new}: the constructors), or {@code *}. The longest name
 * that matches decides; a class that no name matches is allowed. There are three rules:
 *
 * <ul>
 * <li><em>allow</em>;
 * <li><em>deny</em>: the class cannot be named, and its objects are never passed, nor those of its subclasses. The
 * members that a denied interface declares cannot be called. A {@link Proxy} is passed if none of its interfaces is
 * denied;
 * <li><em>hide</em>: the class cannot be named, but its objects are passed and used through what allowed classes and
 * interfaces declare. This is for implementations, like {@code sun.*}.
 * </ul>
 *
 * <p>{@link #remote()} is the default of every gateway that a Java program opens, and what {@link #builder()} begins
 * with. It denies the JDK's APIs to start processes, load classes, reflect and deserialise.
 *
 * <p>A policy is not a sandbox. It checks the classes that a client names and gets, not what the called code does.
 * Files and sockets stay accessible, so a client may write a file that another program runs. A class on the class path
 * that itself evaluates scripts, loads classes or starts processes does so for clients, too, unless a rule names it.
 * Memory, threads and time are not limited. For clients that are not trusted, deny {@code *} and allow only what they
 * need, in a JVM whose user has no further rights.
 */
public final class Policy {
    private static final int NO_RULE = 0;
    private static final int ALLOW = 1;
    private static final int DENY = 2;
    private static final int HIDE = 3;

    private static final Policy EVERYTHING = new Builder().build();

    private final Map<String, Integer> rules;
    private final boolean members;
    private final boolean open;

    private Policy(Map<String, Integer> rules, boolean open) {
        this.rules = rules;
        this.open = open;
        boolean found = false;
        for (String name : rules.keySet()) {
            found |= name.indexOf('#') >= 0;
        }
        this.members = found;
    }

    /** Returns the policy that allows everything but the gateway's own classes: clients may run any code. */
    public static Policy everything() {
        return EVERYTHING;
    }

    /**
     * Returns the default, which denies the JDK's APIs for processes, class loading, reflection and deserialisation.
     */
    public static Policy remote() {
        return RemotePolicy.POLICY;
    }

    /**
     * Returns a builder that begins with the rules of {@link #remote()}. After {@code deny("*")} it allows only the
     * names in its rules.
     */
    public static Builder builder() {
        return builder(remote());
    }

    /** Returns a builder that begins with the rules of another policy, such as {@link #everything()}. */
    public static Builder builder(Policy base) {
        return new Builder(base);
    }

    /** Makes a policy from rules; a later rule for a name replaces an earlier one. */
    public static final class Builder {
        private final Map<String, Integer> rules = new HashMap<>();
        private final Set<String> given = new HashSet<>();
        private boolean open;

        private Builder(Policy base) {
            rules.putAll(base.rules);
            open = base.open;
        }

        private Builder() {
            open = true;
            // The gateway's own classes would expose sessions, channels and this policy.
            put(HIDE, "io.samewire.bridge");
            put(ALLOW, "io.samewire.bridge.Operations");
            put(ALLOW, "io.samewire.bridge.PythonException");
            put(ALLOW, "io.samewire.bridge.PythonObject");
        }

        private Builder put(int rule, String... names) {
            for (String name : names) {
                String key = PolicyName.key(name);
                rules.put(key, rule);
                given.add(key);
            }
            return this;
        }

        /** Allows classes, packages or members. */
        public Builder allow(String... names) {
            return put(ALLOW, names);
        }

        /** Denies classes with their subclasses, packages or members. */
        public Builder deny(String... names) {
            open &= names.length == 0;
            return put(DENY, names);
        }

        /** Hides classes: they cannot be named, but their objects can be used through members of allowed types. */
        public Builder hide(String... names) {
            open = false;
            return put(HIDE, names);
        }

        /** Begins with the rules of {@link Policy#everything()}, and denies what {@link Policy#remote()} denies. */
        static Builder ofRemote() {
            return new Builder().deny(RemotePolicy.DENIED).hide(RemotePolicy.HIDDEN).allow(RemotePolicy.ALLOWED);
        }

        /** Returns the policy. */
        public Policy build() {
            Map<String, Integer> built = new HashMap<>(rules);
            if (given.contains("*") && rules.get("*") != ALLOW) {
                // The default's exceptions within denied packages were not given by the user of this builder.
                for (String name : RemotePolicy.ALLOWED) {
                    if (!given.contains(name)) {
                        built.remove(name);
                    }
                }
            }
            return new Policy(built, open);
        }
    }

    /** The rule of the longest name that matches the name of a class. */
    private int rule(String name) {
        // The class itself, then those that it is nested in, then its package and those above that.
        String at = PolicyName.keyOf(name);
        Integer rule = rules.get(at);
        int dot = at.lastIndexOf('.');
        while (rule == null && dot > 0) {
            at = at.substring(0, dot);
            rule = rules.get(at);
            dot = at.lastIndexOf('.');
        }
        if (rule == null) {
            rule = rules.get("*");
        }
        return rule == null ? NO_RULE : rule;
    }

    /** Returns whether a class of that binary name may be named; the class itself is checked later, too. */
    public boolean admitsName(String name) {
        return rule(name) <= ALLOW;
    }

    /** Returns whether a class may be named, and the members that it declares may be used. */
    public boolean admitsNamed(Class<?> type) {
        Class<?> leaf = leaf(type);
        if (leaf.isPrimitive()) {
            return true;
        }
        int rule = rule(leaf.getName());
        return rule == NO_RULE ? open || admits(leaf) : rule == ALLOW;
    }

    /** Returns whether objects of the class may be passed. */
    public boolean admits(Class<?> type) {
        if (open) {
            return true;
        }
        Class<?> leaf = leaf(type);
        if (Proxy.isProxyClass(leaf)) {
            return admitsAll(leaf.getInterfaces());
        }
        for (Class<?> at = leaf; at != null && (at != Object.class || at == leaf); at = at.getSuperclass()) {
            int rule = rule(at.getName());
            if (rule == ALLOW || rule == DENY) {
                return rule == ALLOW;
            }
        }
        return true;
    }

    /** Judges a proxy by its interfaces, since its name is generated: none of them may be denied. */
    private boolean admitsAll(Class<?>[] interfaces) {
        for (Class<?> one : interfaces) {
            if (rule(one.getName()) == DENY) {
                return false;
            }
        }
        return true;
    }

    private static Class<?> leaf(Class<?> type) {
        Class<?> leaf = type;
        while (leaf.isArray()) {
            leaf = leaf.getComponentType();
        }
        return leaf;
    }

    /** Returns whether a method, constructor or field may be used. */
    public boolean admits(Member member) {
        Class<?> owner = member.getDeclaringClass();
        if (!admitsNamed(owner)) {
            return false;
        }
        if (!members) {
            return true;
        }
        String name = member instanceof Constructor ? PolicyName.CONSTRUCTOR : member.getName();
        Integer rule = null;
        for (Class<?> at = owner; rule == null && at != null; at = at.getSuperclass()) {
            rule = rules.get(PolicyName.keyOf(at.getName()) + '#' + name);
        }
        for (Class<?> at = owner; rule == null && at != null; at = at.getSuperclass()) {
            rule = ofInterfaces(at, name);
        }
        return rule == null || rule == ALLOW;
    }

    /** The rule for a member that the interfaces of a class declare. */
    private Integer ofInterfaces(Class<?> type, String member) {
        Integer rule = null;
        for (Class<?> one : type.getInterfaces()) {
            Integer found = rules.get(PolicyName.keyOf(one.getName()) + '#' + member);
            found = found == null ? ofInterfaces(one, member) : found;
            // If two rules disagree, the class is denied.
            rule = rule == null || found != null && found > rule ? found : rule;
        }
        return rule;
    }

    /**
     * Checks that objects of a class may be passed.
     *
     * @throws SamewireException {@code unsupported} if they may not
     */
    public void check(Class<?> type) {
        if (!admits(type)) {
            throw denied(type.getName());
        }
    }

    /**
     * Checks that a class may be named.
     *
     * @throws SamewireException {@code unsupported} if it may not
     */
    public void checkNamed(Class<?> type) {
        if (!admitsNamed(type)) {
            throw denied(type.getName());
        }
    }

    /** Returns the error for a name that this policy denies. */
    public SamewireException denied(String name) {
        return new SamewireException(Code.UNSUPPORTED, -1, null, "the gateway's policy denies " + name
            + "; allow it where the gateway is made");
    }
}
