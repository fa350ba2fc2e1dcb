package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** What became of tokens that were each sent once, in a command that must not run twice. */
final class Sent {
    final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    final Set<String> unknown = ConcurrentHashMap.newKeySet();
    final Set<String> refused = ConcurrentHashMap.newKeySet();

    void send(String token, Runnable command) {
        try {
            command.run();
            acknowledged.add(token);
        } catch (ConnectionException error) {
            failed(token, error);
        }
    }

    void failed(String token, Throwable error) {
        (((ConnectionException) error).mayHaveRun() ? unknown : refused).add(token);
    }

    /** Compares with what the server has: all that was acknowledged, nothing that was refused, nothing twice. */
    void agrees(List<String> found) {
        Set<String> held = new TreeSet<>(found);
        assertEquals(held.size(), found.size(), "something ran twice");
        Set<String> lost = new HashSet<>(acknowledged);
        lost.removeAll(held);
        assertTrue(lost.isEmpty(), () -> "acknowledged and lost: " + lost);
        Set<String> ran = new HashSet<>(refused);
        ran.retainAll(held);
        assertTrue(ran.isEmpty(), () -> "said not to have run, and ran: " + ran);
        held.removeAll(acknowledged);
        held.removeAll(unknown);
        assertTrue(held.isEmpty(), () -> "nobody sent: " + held);
    }
}
