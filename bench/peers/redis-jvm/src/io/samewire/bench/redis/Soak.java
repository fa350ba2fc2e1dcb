package io.samewire.bench.redis;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.api.StatefulRedisConnection;
import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.Strings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import redis.clients.jedis.Response;

/**
 * Callers of one client library in its default settings, which push elements that are all different onto a list until
 * standard input ends; then a line for each element: {@code +} acknowledged, {@code -} an error that says it has not run,
 * {@code ?} one that says it may have, {@code !} one that says neither, {@code x} cancelled; and for each failed read
 * {@code E}. The name of the error follows. {@code stuck N} comes last: callers that have not come back.
 *
 * <p>Usage: {@code Soak samewire|jedis|lettuce PORT PASSWORD}.
 */
final class Soak {
    private static final int THREADS = 3;
    private static final int AWAITING = 2;
    private static final int TOGETHER = 5;
    private static final long COMES_BACK = 120_000;

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean over = new AtomicBoolean();

    /** One library's client. */
    private interface Client {
        void push(String list, String element) throws Exception;

        void get(String key) throws Exception;

        /** Pushes some elements in one pipeline. */
        void pushAll(String list, List<String> elements) throws Exception;

        /** Begins to push; null if the library cannot. */
        Future<Long> begin(String list, String element);
    }

    private record Samewire(io.samewire.redis.client.RedisClient client) implements Client {
        @Override
        public void push(String list, String element) {
            client.execute(Lists.rpush(list, element));
        }

        @Override
        public void get(String key) {
            client.execute(Strings.get(key));
        }

        @Override
        public void pushAll(String list, List<String> elements) {
            io.samewire.redis.client.Pipeline pipeline = client.pipeline();
            elements.forEach(element -> pipeline.add(Lists.rpush(list, element)));
            pipeline.execute();
        }

        @Override
        public Future<Long> begin(String list, String element) {
            return client.async().execute(Lists.rpush(list, element));
        }
    }

    private record Jedis(redis.clients.jedis.RedisClient client) implements Client {
        @Override
        public void push(String list, String element) {
            client.rpush(list, element);
        }

        @Override
        public void get(String key) {
            client.get(key);
        }

        @Override
        public void pushAll(String list, List<String> elements) {
            List<Response<Long>> replies = new ArrayList<>();
            try (redis.clients.jedis.Pipeline pipeline = client.pipelined()) {
                elements.forEach(element -> replies.add(pipeline.rpush(list, element)));
                pipeline.sync();
            }
            replies.forEach(Response::get);
        }

        @Override
        public Future<Long> begin(String list, String element) {
            return null;
        }
    }

    private record Lettuce(StatefulRedisConnection<String, String> connection) implements Client {
        @Override
        public void push(String list, String element) {
            connection.sync().rpush(list, element);
        }

        @Override
        public void get(String key) {
            connection.sync().get(key);
        }

        @Override
        public void pushAll(String list, List<String> elements) throws ExecutionException, InterruptedException {
            List<Future<Long>> replies = new ArrayList<>();
            elements.forEach(element -> replies.add(connection.async().rpush(list, element)));
            Duration time = connection.getTimeout();
            if (!LettuceFutures.awaitAll(time, replies.toArray(Future<?>[]::new))) {
                throw new io.lettuce.core.RedisCommandTimeoutException("after " + time);
            }
            for (Future<Long> reply : replies) {
                reply.get();
            }
        }

        @Override
        public Future<Long> begin(String list, String element) {
            return connection.async().rpush(list, element);
        }
    }

    private static Client client(String side, int port, String password) {
        String uri = "redis://:" + password + "@127.0.0.1:" + port;
        return switch (side) {
            case "samewire" -> new Samewire(io.samewire.redis.client.RedisClient.connect(uri));
            case "jedis" -> new Jedis(redis.clients.jedis.RedisClient.create(uri));
            case "lettuce" -> new Lettuce(io.lettuce.core.RedisClient.create(uri).connect());
            default -> throw new IllegalArgumentException("expected samewire, jedis or lettuce: " + side);
        };
    }

    private void failed(String element, Throwable error) {
        Throwable cause = error instanceof ExecutionException ? error.getCause() : error;
        String kind = "!";
        if (cause instanceof ConnectionException lost) {
            kind = lost.mayHaveRun() ? "?" : "-";
        } else if (cause instanceof io.samewire.redis.resp.RedisException) {
            kind = "-";
        }
        lines.add(kind + " " + element + " " + cause.getClass().getSimpleName());
    }

    /** A blocking caller: pushes, reads, pipelines. */
    private void block(Client client, String list, int number) {
        for (int turn = 0; !over.get(); turn++) {
            String element = number + ":" + turn;
            try {
                client.push(list, element);
                lines.add("+ " + element);
            } catch (Exception error) {
                failed(element, error);
            }
            try {
                client.get(list + ":" + number);
            } catch (Exception error) {
                lines.add("E " + error.getClass().getSimpleName());
            }
            if (turn % TOGETHER == 0) {
                List<String> together = new ArrayList<>();
                for (int place = 0; place < TOGETHER; place++) {
                    together.add(element + ":" + place);
                }
                try {
                    client.pushAll(list, together);
                    together.forEach(one -> lines.add("+ " + one));
                } catch (Exception error) {
                    together.forEach(one -> failed(one, error));
                }
            }
        }
    }

    /** A caller that waits for futures; about each twentieth it cancels. */
    private void await(Client client, String list, int number) {
        Random chance = new Random(number);
        for (int turn = 0; !over.get(); turn++) {
            String element = "a" + number + ":" + turn;
            Future<Long> reply = client.begin(list, element);
            if (reply == null) {
                return;
            }
            if (chance.nextInt(20) == 0) {
                reply.cancel(true);
            }
            try {
                reply.get();
                lines.add("+ " + element);
            } catch (CancellationException givenUp) {
                lines.add("x " + element);
            } catch (Exception error) {
                failed(element, error);
            }
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        String side = arguments[0];
        Client client = client(side, Integer.parseInt(arguments[1]), arguments[2]);
        Soak soak = new Soak();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(new Thread(() -> soak.block(client, side, number)));
        }
        for (int i = 0; i < AWAITING; i++) {
            int number = i;
            threads.add(new Thread(() -> soak.await(client, side, number)));
        }
        for (Thread thread : threads) {
            thread.setDaemon(true);
            thread.start();
        }
        System.in.transferTo(System.out);
        soak.over.set(true);
        int stuck = 0;
        for (Thread thread : threads) {
            thread.join(COMES_BACK);
            stuck += thread.isAlive() ? 1 : 0;
        }
        StringBuilder text = new StringBuilder();
        soak.lines.forEach(line -> text.append(line).append('\n'));
        System.out.print(text.append("stuck ").append(stuck).append('\n'));
        System.out.flush();
        System.exit(0);
    }
}
