package io.samewire.pack.bind;

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
            for (Class<?> member : named.value()) {
                if (!type.isAssignableFrom(member) || member == type) {
                    throw NativeTypeReader.misuse(member.getName() + " in the @Members of " + type.getName()
                        + " does not extend it");
                }
            }
            return List.of(named.value());
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
            try {
                found.add(Class.forName(name, false, type.getClassLoader()));
            } catch (ClassNotFoundException absent) {
                throw NativeTypeReader.misuse(type.getName() + " is sealed, and its subclass " + name
                    + " is not on the class path");
            }
        }
        return found;
    }
}
