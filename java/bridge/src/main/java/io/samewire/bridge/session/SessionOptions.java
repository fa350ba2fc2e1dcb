package io.samewire.bridge.session;

import io.samewire.bridge.Policy;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Map;
import java.util.function.Function;

/**
 * What all sessions of a gateway have in common.
 *
 * @param resolver finds the meaning of sites
 * @param policy what clients may reach
 * @param limits the limits of messages
 * @param blobBytes the most bytes of a large value
 * @param records the gateway's records by name
 * @param entryPoint the object that the gateway offers to clients, or null
 * @param failure what callers of this JVM get for a call of a Python object that the bridge could not make
 */
public record SessionOptions(Resolver resolver, Policy policy, Limits limits, long blobBytes,
    Map<String, Class<?>> records, Object entryPoint, Function<SamewireException, RuntimeException> failure) {
    /** Creates those of a gateway whose callers get the bridge's own exception. */
    public SessionOptions(Resolver resolver, Policy policy, Limits limits, long blobBytes,
        Map<String, Class<?>> records, Object entryPoint) {
        this(resolver, policy, limits, blobBytes, records, entryPoint, failed -> failed);
    }
}
