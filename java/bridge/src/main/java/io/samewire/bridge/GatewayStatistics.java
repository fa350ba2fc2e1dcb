package io.samewire.bridge;

/**
 * The statistics of a gateway.
 *
 * @param sessions sessions that are open
 * @param sessionsOpened sessions opened since the start
 * @param refused connections that were refused, or cut off before they had said hello
 * @param strangers connections that have not said hello
 * @param channels call and callback channels that are open
 * @param calls calls of clients on the channels that are open
 * @param exported objects of this JVM that clients refer to
 * @param imported objects of clients that this JVM refers to
 */
public record GatewayStatistics(int sessions, long sessionsOpened, long refused, int strangers, int channels,
    long calls, int exported, int imported) {}
