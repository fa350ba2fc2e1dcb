package io.samewire.bridge;

import java.lang.reflect.Executable;

/** Chooses among overloads by other rules than Java's ({@link GatewayBuilder#overloadRule}). */
@FunctionalInterface
public interface OverloadRule {
    /**
     * Returns the method or constructor for arguments, accessible by reflection; null if none fits.
     *
     * @param type the class of the receiver, or that of a static method or constructor
     * @param member the name of the method; empty for a constructor
     * @param arguments the classes of the arguments, boxed for numbers and truth values; null for a null
     */
    Executable choose(Class<?> type, String member, Class<?>... arguments);
}
