package doubles;

import com.github.fppt.jedismock.RedisServer;
import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisLock;
import io.samewire.redis.client.Result;
import io.samewire.redis.client.Subscriber;
import io.samewire.redis.client.Transaction;
import io.samewire.redis.command.Connection;
import io.samewire.redis.command.Hashes;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Scripting;
import io.samewire.redis.command.Sets;
import io.samewire.redis.command.SortedSets;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * What a program's own tests would do, on what they would do it: `mock`, jedis-mock within this process, or `embedded`,
 * the server that embedded-redis starts. A further argument is the port of a server. Prints a line for each call, which
 * begins with {@code >}.
 */
public final class Doubles {
    /** A value of the store. */
    public record Loan(String reader, long number) { }

    private Doubles() { }

    /** Runs on the one that the first argument names. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "mock" -> {
                RedisServer mock = RedisServer.newRedisServer().start();
                try (RedisClient redis = RedisClient.connect("redis://127.0.0.1:" + mock.getBindPort())) {
                    use(redis);
                } finally {
                    mock.stop();
                }
            }
            case "embedded" -> {
                redis.embedded.RedisServer server = redis.embedded.RedisServer.newRedisServer()
                    .port(Integer.parseInt(arguments[1])).setting("bind 127.0.0.1").build();
                server.start();
                try (RedisClient redis = RedisClient.connect("redis://127.0.0.1:" + arguments[1])) {
                    use(redis);
                } finally {
                    server.stop();
                }
            }
            default -> {
                try (RedisClient redis = RedisClient.connect("redis://127.0.0.1:" + arguments[1])) {
                    use(redis);
                }
            }
        }
        System.out.println("> done");
    }

    private static void use(CommandClient redis) throws InterruptedException {
        say("ping", redis.execute(Connection.ping()));
        say("set", redis.execute(Strings.set("a", "1")));
        say("get", redis.execute(Strings.get("a")));
        say("get what is not there", redis.execute(Strings.get("none")));
        say("a future", redis.async().execute(Strings.incr("a")).join());
        say("hset", redis.execute(Hashes.hset("h", Map.of("f", "v", "g", "w"))));
        say("hgetall", new TreeMap<>(redis.execute(Hashes.hgetall("h"))));
        say("rpush", redis.execute(Lists.rpush("l", "x", "y", "z")));
        say("lrange", redis.execute(Lists.lrange("l", 0, -1)));
        say("blpop", redis.execute(Lists.blpop(Duration.ofSeconds(5), "l")));
        say("zadd", redis.execute(SortedSets.zadd("z", Map.of("m", 1.5, "n", 0.25))));
        say("zrange", redis.execute(SortedSets.zrange("z", 0, -1)));
        say("zscore", redis.execute(SortedSets.zscore("z", "m")));
        say("sadd", redis.execute(Sets.sadd("s", "p", "q")));
        say("smembers", new TreeSet<>(redis.execute(Sets.smembers("s"))));
        say("expire", redis.execute(Keys.expire("a", Duration.ofMinutes(10))));
        say("eval", redis.execute(Scripting.eval("return redis.call('GET', KEYS[1])", List.of("a"))));
        Pipeline pipeline = redis.pipeline();
        Result<Long> more = pipeline.add(Strings.incr("a"));
        Result<Optional<String>> now = pipeline.add(Strings.get("a"));
        pipeline.execute();
        say("pipeline", more.get() + " " + now.get());
        try (Transaction work = redis.transaction()) {
            work.watch("a");
            Optional<String> before = work.execute(Strings.get("a"));
            Result<Boolean> set = work.add(Strings.set("a", before.orElseThrow() + "0"));
            say("transaction", work.exec().isPresent() + " " + set.get());
        }
        try {
            redis.execute(Lists.llen("a"));
        } catch (RedisException wrong) {
            say("wrong type", wrong.word());
        }
        Store<Loan> loans = redis.store(Loan.class, "loan:");
        loans.put("1", new Loan("Anna", 7));
        say("store", loans.get("1"));
        CompletableFuture<String> message = new CompletableFuture<>();
        try (Subscriber subscriber = redis.subscriber(came -> message.complete(came.text()))) {
            subscriber.subscribe("news");
            redis.execute(PubSub.publish("news", "hello"));
            say("message", message.join());
        }
        RedisLock lock = redis.lock("desk").withTimeout(Duration.ofSeconds(30));
        RedisLock.Held held = lock.acquire();
        say("lock", lock.isLocked() + " " + lock.tryAcquire().isPresent());
        held.close();
        say("released", lock.isLocked());
    }

    private static void say(String what, Object value) {
        System.out.println("> " + what + ": " + value);
    }
}
