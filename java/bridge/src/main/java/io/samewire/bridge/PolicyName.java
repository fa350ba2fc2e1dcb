package io.samewire.bridge;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** The names of a {@link Policy}'s rules: of classes, packages and members. */
public final class PolicyName {
    /** The name of constructors in rules. */
    static final String CONSTRUCTOR = "new";

    private PolicyName() {}

    /**
     * Returns the key of a rule: a class or package with dots only, a member after {@code #}, or {@code *}.
     *
     * @throws SamewireException {@code misuse} if it is ambiguous, or not a name of a class, package or member
     */
    static String key(String name) {
        if (name.equals("*")) {
            return name;
        }
        boolean isPackage = name.endsWith(".*");
        int hash = name.indexOf('#');
        String place = isPackage ? name.substring(0, name.length() - 2) : hash < 0 ? name : name.substring(0, hash);
        String member = hash < 0 ? "" : name.substring(hash);
        boolean wrong = !isName(place) || hash >= 0 && (isPackage || !isIdentifier(member, 1, member.length()));
        if (wrong) {
            throw refused(name, "no name of a class (java.lang.Runtime), a package (java.io), a member "
                + "(java.lang.System#exit; #new for constructors), or *");
        }
        int odd = isPackage ? -1 : lowerBehindUpper(place);
        if (odd >= 0) {
            String before = place.substring(0, odd);
            String after = place.substring(odd + 1);
            throw refused(name, "ambiguous: write " + before + '#' + after + " for a member, " + before + '$' + after
                + " for a nested class, " + place + ".* for a package");
        }
        return keyOf(place) + member;
    }

    private static SamewireException refused(String name, String text) {
        return new SamewireException(Code.MISUSE, -1, null, "the policy's name '" + name + "' is " + text);
    }

    /** Returns the key of rules for a class, whose nested classes may be written with a dollar sign or a dot. */
    static String keyOf(String className) {
        return className.replace('$', '.');
    }

    /** Returns whether a text may be the name of a class or package: identifiers with dots between them. */
    public static boolean isName(String text) {
        int from = 0;
        for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
            if (!isIdentifier(text, from, dot)) {
                return false;
            }
            from = dot + 1;
        }
        return isIdentifier(text, from, text.length());
    }

    private static boolean isIdentifier(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Character.isJavaIdentifierPart(text.charAt(i))) {
                return false;
            }
        }
        return to > from;
    }

    /** Returns the dot between a word that looks like a class and one that looks like a member or package; or -1. */
    private static int lowerBehindUpper(String name) {
        boolean upper = false;
        int from = 0;
        while (from >= 0) {
            int dot = name.indexOf('.', from);
            if (upper && Character.isLowerCase(name.charAt(from))) {
                return from - 1;
            }
            upper |= Character.isUpperCase(name.charAt(from));
            from = dot < 0 ? -1 : dot + 1;
        }
        return -1;
    }
}
