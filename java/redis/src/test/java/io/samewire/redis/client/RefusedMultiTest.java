package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that refuse MULTI: no command of a transaction runs outside of one unless the caller is told. */
@Timeout(60)
class RefusedMultiTest {
    private static final Pattern NAME = Pattern.compile("\\*\\d+\r\n\\$\\d+\r\n([A-Za-z]+)\r\n");

    private final AtomicInteger seen = new AtomicInteger();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    /** A peer that replies LOADING to the commands, their number and name, that {@code refuses} says. */
    private Peer loading(BiPredicate<Integer, String> refuses) {
        return Peer.greeting(new Peer.Reply() {
            private int queued = -1;

            @Override
            public synchronized void reply(Socket connection, String read) throws IOException {
                StringBuilder out = new StringBuilder();
                for (Matcher found = NAME.matcher(read); found.find();) {
                    out.append(one(found.group(1)));
                }
                Peer.send(connection, out.toString());
            }

            private String one(String name) {
                if (refuses.test(seen.getAndIncrement(), name)) {
                    return "-LOADING the data is being read\r\n";
                } else if (name.equals("MULTI")) {
                    queued = 0;
                    return "+OK\r\n";
                } else if (name.equals("EXEC") || name.equals("DISCARD")) {
                    int count = queued;
                    queued = -1;
                    return count < 0 ? "-ERR " + name + " without MULTI\r\n"
                        : name.equals("DISCARD") ? "+OK\r\n" : "*" + count + "\r\n" + ":1\r\n".repeat(count);
                } else if (queued >= 0) {
                    queued++;
                    return "+QUEUED\r\n";
                } else if (name.equals("WATCH") || name.equals("UNWATCH")) {
                    return "+OK\r\n";
                }
                ran.add(name);
                return ":1\r\n";
            }
        });
    }

    private static List<Result<?>> run(RedisClient client, boolean watch) {
        try (Transaction work = client.transaction()) {
            if (watch) {
                work.watch("a");
            }
            work.add(Strings.incr("a"));
            work.add(Strings.incr("b"));
            return work.exec().orElseThrow();
        }
    }

    @Test
    void loadingThatEndsWithinATransactionRunsNothingBare() {
        for (boolean watch : new boolean[] {false, true}) {
            for (int last = 0; last < 6; last++) {
                int end = last;
                seen.set(0);
                try (Peer peer = loading((number, name) -> number <= end);
                        RedisClient client = RedisClient.create(RedisOptions.of(peer.address()))) {
                    assertEquals(2, run(client, watch).size());
                    assertEquals(List.of(), ran);
                }
            }
        }
    }

    @Test
    void commandsThatRanBareAreToldAndNotRepeated() {
        AtomicInteger multis = new AtomicInteger();
        try (Peer peer = loading((number, name) -> name.equals("MULTI") && multis.incrementAndGet() == 3);
                RedisClient client = RedisClient.create(RedisOptions.of(peer.address()))) {
            run(client, false);
            ConnectionException told = assertThrows(ConnectionException.class, () -> run(client, false));
            assertTrue(told.mayHaveRun());
            assertTrue(told.getMessage().contains("not as a transaction"), told.getMessage());
            assertEquals(2, ran.size());
        }
    }

    @Test
    void aUserWhoMayNotSendMultiRunsNothing() {
        try (ValkeyServer server = ValkeyServer.start();
                RedisClient admin = RedisClient.connect(RedisOptions.of(server.uri()))) {
            admin.execute(Commands.of("ACL", "SETUSER", "ada", "on", ">secret", "~*", "+@all", "-multi"));
            RedisOptions options = RedisOptions.of(server.uri()).withCredentials("ada", "secret");
            try (RedisClient ada = RedisClient.connect(options)) {
                for (boolean watch : new boolean[] {false, true}) {
                    RedisException refused = assertThrows(RedisException.class, () -> run(ada, watch));
                    assertEquals("NOPERM", refused.word());
                    assertFalse(admin.execute(Strings.get("a")).isPresent());
                }
            }
        }
    }
}
