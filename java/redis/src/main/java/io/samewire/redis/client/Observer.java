package io.samewire.redis.client;

import java.time.Duration;

/**
 * Receives the calls and connections of a client, for metrics and traces: {@link RedisOptions#withObserver}. Override
 * the methods that you need. They run on the thread that finds the event out, a caller's or one that reads replies, so
 * they must not block. What one throws goes to that thread's handler of uncaught exceptions.
 */
public interface Observer {
    /**
     * One call of a program: a command, or commands that are sent together.
     *
     * @param name the command's; {@code PIPELINE} or {@code MULTI} for several
     * @param commands how many they are
     * @param server which server the client is for; null for a cluster, and for a service that sentinels know
     * @param database the number of its database
     */
    record Operation(String name, int commands, Address server, int database) {}

    /** A call begins. What is returned is handed to {@link #finished}; it may be null. */
    default Object started(Operation operation) {
        return null;
    }

    /**
     * A call's reply came, from the server or the client's cache, or what took its place.
     *
     * @param token what {@link #started} returned
     * @param time how long the call took, all its attempts and the waits between them included
     * @param error what it failed with; of commands that are sent together the first failure; null for none
     */
    default void finished(Object token, Operation operation, Duration time, Throwable error) { }

    /** A command, or several as in {@link Operation}, is sent again after so many failures of its call. */
    default void repeated(String name, int failures, Throwable error) { }

    /** A connection was made, with TLS and the greeting in so much time. One that was lost is made again so, too. */
    default void connected(Address server, Duration time) { }

    /** A connection was lost by an error, or was closed by this client if that is null. */
    default void disconnected(Address server, Throwable error) { }
}
