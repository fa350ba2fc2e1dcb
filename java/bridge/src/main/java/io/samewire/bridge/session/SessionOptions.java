package io.samewire.bridge.session;

import io.samewire.bridge.Policy;
import io.samewire.core.Limits;
import java.util.Map;

/**
 * What all sessions of a gateway have in common.
 *
 * @param resolver finds the meaning of sites
 * @param policy what clients may reach
 * @param limits the limits of messages
 * @param blobBytes the most bytes of a large value
 * @param records the gateway's records by name
 * @param entryPoint the object that the gateway offers to clients, or null
 */
public record SessionOptions(Resolver resolver, Policy policy, Limits limits, long blobBytes,
    Map<String, Class<?>> records, Object entryPoint) {}
