package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Members;
import java.util.ArrayList;
import java.util.List;

/** The direct subclasses of a sealed class or interface. */
final class Subclasses {
    private Subclasses() {}

    /**
     * Those that {@link Members} names, that the class file permits or, if it is for JVMs before 17, that Kotlin's
     * metadata names; else null.
     */
    static List<Class<?>> of(Class<?> type) {
        Members named = type.getDeclaredAnnotation(Members.class);
        if (named != null) {
            return checked(type, members(type, named), "in the @Members");
        }
        if (type.isSealed()) {
            return List.of(type.getPermittedSubclasses());
        }
        KotlinMetadata kotlin = KotlinMetadata.of(type);
        if (kotlin == null || !kotlin.isSealed()) {
            return null;
        }
        List<Class<?>> found = new ArrayList<>();
        for (String name : kotlin.subclasses) {
            found.add(load(type, name));
        }
        return checked(type, found, "in the Kotlin metadata");
    }

    private static List<Class<?>> members(Class<?> type, Members named) {
        try {
            return List.of(named.value());
        } catch (TypeNotPresentException | ArrayStoreException absent) {
            throw new SamewireException(Code.MISUSE, -1, null, "a class in the @Members of " + type.getName()
                + " is not on the class path: add the jar that has it (" + absent.getMessage() + ")", absent);
        }
    }

    private static Class<?> load(Class<?> type, String name) {
        try {
            return Class.forName(name, false, type.getClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            throw new SamewireException(Code.MISUSE, -1, null, type.getName() + " is sealed, and its subclass " + name
                + " cannot be loaded: add the jar that has it to the class path (" + absent + ")", absent);
        }
    }

    /** Refuses classes that are not below the type: values of them could not stand where it is declared. */
    private static List<Class<?>> checked(Class<?> type, List<Class<?>> members, String where) {
        for (Class<?> member : members) {
            if (!type.isAssignableFrom(member) || member == type) {
                throw NativeTypeReader.misuse(member.getName() + " " + where + " of " + type.getName()
                    + " does not extend it");
            }
        }
        return members;
    }
}
