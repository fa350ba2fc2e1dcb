package io.samewire.bridge;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Member;
import java.util.HashMap;
import java.util.Map;

/**
 * Which classes and members clients of a gateway reach ({@code spec/bridge.md} section 14), by names. Asked when a
 * site is resolved, a class described, and the first object of a class passed; not at each call.
 *
 * <p>A name is that of a class ({@code java.lang.Runtime}: with the classes nested in it), a package and all below it
 * ({@code java.lang.reflect.*}), a member of a class ({@code java.lang.System#exit}: all overloads), or {@code *}. The
 * longest name that matches decides; what no name matches is allowed. A package without {@code .*} is taken for a class
 * and matches nothing. There are three rules:
 *
 * <ul>
 * <li><em>allow</em>;
 * <li><em>deny</em>: the class cannot be named, and its objects are never passed, nor those of its subclasses. The
 * members that a denied interface declares cannot be called;
 * <li><em>hide</em>: the class cannot be named, but its objects are passed and used through what allowed classes and
 * interfaces declare. This is for implementations, like {@code sun.*}.
 * </ul>
 *
 * <p>{@link #remote()} denies the JDK's own ways to start processes, load classes, reflect and deserialise. It is not a
 * sandbox: files and sockets stay open to clients, and it knows no other library on the class path. For clients that
 * are not trusted, deny {@code *} and allow what they need.
 */
public final class Policy {
    private static final int NO_RULE = 0;
    private static final int ALLOW = 1;
    private static final int DENY = 2;
    private static final int HIDE = 3;

    /** Made when it is asked for: programs on this machine need it at no time. */
    private static final class Remote {
        /** Ways to code of the client's choice, to other classes by name, to the process or the machine. */
        static final String[] DENIED = {"java.lang.Runtime", "java.lang.ProcessBuilder", "java.lang.Process",
            "java.lang.ProcessHandle", "java.lang.ProcessImpl", "java.lang.ClassLoader", "java.lang.reflect.*",
            "java.lang.invoke.*", "java.lang.foreign.*", "java.lang.instrument.*", "java.lang.management.*",
            "java.lang.module.*", "java.lang.Module", "java.lang.ModuleLayer", "java.lang.StackWalker",
            "java.lang.SecurityManager", "java.lang.System#exit", "java.lang.System#load",
            "java.lang.System#loadLibrary", "java.lang.System#setSecurityManager", "java.lang.System#setProperties",
            "java.lang.System#setProperty", "java.lang.System#getLogger", "java.lang.Class#forName",
            "java.lang.Class#newInstance", "java.lang.Class#getClassLoader", "java.lang.Class#getModule",
            "java.lang.Class#getProtectionDomain", "java.lang.Class#getResource",
            "java.lang.Class#getResourceAsStream", "java.lang.Thread#getContextClassLoader",
            "java.lang.Thread#setContextClassLoader", "java.lang.Package#getPackage", "javax.script.*",
            "javax.naming.*", "java.rmi.*", "javax.management.*", "javax.tools.*", "javax.annotation.processing.*",
            "javax.print.*", "javax.swing.*", "javax.imageio.*", "javax.sound.*", "javax.security.*", "javax.xml.*",
            "java.awt.*", "java.applet.*", "java.beans.*", "java.util.ServiceLoader", "java.util.ResourceBundle",
            "java.util.logging.*", "java.util.prefs.*", "java.util.spi.*", "java.nio.channels.spi.*",
            "java.nio.charset.spi.*", "java.nio.file.spi.*", "java.net.spi.*", "java.net.URLStreamHandler",
            "java.net.URLStreamHandlerFactory", "java.net.ContentHandlerFactory",
            "java.net.URL#setURLStreamHandlerFactory", "java.net.URLConnection#setContentHandlerFactory",
            "java.security.*", "java.sql.DriverManager", "java.util.concurrent.atomic.AtomicIntegerFieldUpdater",
            "java.util.concurrent.atomic.AtomicLongFieldUpdater",
            "java.util.concurrent.atomic.AtomicReferenceFieldUpdater", "java.io.ObjectInputStream",
            "java.io.ObjectInputFilter", "javax.crypto.SealedObject", "javax.sql.*", "org.omg.*"};
        /** Implementations of the JDK, which its public classes and interfaces give out. */
        static final String[] HIDDEN = {"sun.*", "jdk.*", "com.sun.*", "java.lang.Shutdown"};
        /** Of {@link #DENIED}'s packages. */
        static final String[] ALLOWED = {"java.security.MessageDigest", "java.security.SecureRandom",
            "java.security.GeneralSecurityException", "java.security.NoSuchAlgorithmException"};

        static final Policy POLICY = builder().remote().build();
    }

    private static final Policy LOCAL = builder().build();

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

    /** Returns the policy for clients on this machine: everything but the gateway's own classes. */
    public static Policy local() {
        return LOCAL;
    }

    /** Returns the policy for clients elsewhere: no processes, no class loading, no reflection, no deserialisation. */
    public static Policy remote() {
        return Remote.POLICY;
    }

    /** Returns a builder that begins with {@link #local()}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes a policy from rules; a later rule for a name replaces an earlier one. */
    public static final class Builder {
        private final Map<String, Integer> rules = new HashMap<>();
        private boolean open = true;

        private Builder() {
            // The gateway's own classes would give out sessions, channels and this.
            put(HIDE, "io.samewire.bridge.*");
            put(ALLOW, "io.samewire.bridge.Operations");
            put(ALLOW, "io.samewire.bridge.PythonException");
            put(ALLOW, "io.samewire.bridge.PythonObject");
        }

        private Builder put(int rule, String... names) {
            for (String name : names) {
                if (name.isEmpty() || name.indexOf('*') >= 0 && !name.equals("*") && !name.endsWith(".*")) {
                    throw new SamewireException(Code.MISUSE, -1, null, "'" + name
                        + "' is not the name of a class, a package with .*, a member after #, or *");
                }
                rules.put(name, rule);
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

        /** Denies that classes are named; their objects are used through what allowed types declare. */
        public Builder hide(String... names) {
            open = false;
            return put(HIDE, names);
        }

        /** Denies what {@link Policy#remote()} denies. */
        public Builder remote() {
            return deny(Remote.DENIED).hide(Remote.HIDDEN).allow(Remote.ALLOWED);
        }

        /** Returns the policy. */
        public Policy build() {
            return new Policy(new HashMap<>(rules), open);
        }
    }

    /** The rule of the longest name that matches the name of a class. */
    private int rule(String name) {
        Integer rule = rules.get(name);
        int end = name.length();
        // The class itself, then those that it is nested in.
        int dollar = name.lastIndexOf('$');
        while (rule == null && dollar > 0) {
            rule = rules.get(name.substring(0, dollar));
            dollar = name.lastIndexOf('$', dollar - 1);
        }
        while (rule == null && (end = name.lastIndexOf('.', end - 1)) > 0) {
            rule = rules.get(name.substring(0, end + 1) + '*');
        }
        if (rule == null) {
            rule = rules.get("*");
        }
        return rule == null ? NO_RULE : rule;
    }

    /** Returns whether a class of that binary name may be named; the class itself may forbid it yet. */
    public boolean admitsName(String name) {
        return rule(name) <= ALLOW;
    }

    /** Returns whether members that the class declares may be used, and it may be named. */
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
        for (Class<?> at = leaf; at != null && (at != Object.class || at == leaf); at = at.getSuperclass()) {
            int rule = rule(at.getName());
            if (rule == ALLOW || rule == DENY) {
                return rule == ALLOW;
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
        for (Class<?> at = owner; at != null; at = at.getSuperclass()) {
            Integer rule = rules.get(at.getName() + '#' + member.getName());
            if (rule != null) {
                return rule == ALLOW;
            }
        }
        return true;
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

    /** Returns the error of something that this policy denies. */
    public SamewireException denied(String name) {
        return new SamewireException(Code.UNSUPPORTED, -1, null, "the gateway's policy denies " + name
            + "; allow it where the gateway is made");
    }
}
