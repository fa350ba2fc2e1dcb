package io.samewire.bridge.session;

import io.samewire.bridge.Policy;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Map;
import java.util.function.Function;

/**
 * The options of all sessions of a gateway.
 *
 * @param resolver resolves sites
 * @param policy the policy for clients
 * @param limits the limits of messages
 * @param blobBytes the most bytes of a large value
 * @param records the gateway's records by name
 * @param entryPoint the object that clients get as the entry point, or null
 * @param failure makes the exception for a call of a Python object that the bridge could not make
 */
public record SessionOptions(Resolver resolver, Policy policy, Limits limits, long blobBytes,
    Map<String, Class<?>> records, Object entryPoint, Function<SamewireException, RuntimeException> failure) {
    /** Creates options with the bridge's own exception for failed calls of Python objects. */
    public SessionOptions(Resolver resolver, Policy policy, Limits limits, long blobBytes,
        Map<String, Class<?>> records, Object entryPoint) {
        this(resolver, policy, limits, blobBytes, records, entryPoint, failed -> failed);
    }
}
