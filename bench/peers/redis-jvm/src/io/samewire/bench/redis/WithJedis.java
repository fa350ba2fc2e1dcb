package io.samewire.bench.redis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import redis.clients.jedis.Builder;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.PushConsumerChainImpl;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;

/** Jedis: its protocol on its own streams, whose buffer holds the reply already; then its builders. */
final class WithJedis implements Library {
    private static final PushConsumerChain PUSHES = PushConsumerChainImpl.of();

    private final Sink sink = new Sink();
    private final RedisOutputStream out = new RedisOutputStream(sink);

    /** Keeps what is written until somebody has looked at it; then it goes nowhere. */
    private static final class Sink extends OutputStream {
        private ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public void write(int b) {
            if (kept != null) {
                kept.write(b);
            }
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            if (kept != null) {
                kept.write(bytes, from, length);
            }
        }
    }

    /** Its buffer as it is after the socket was read. */
    private static final class Filled extends RedisInputStream {
        private final int length;

        Filled(byte[] wire) {
            super(InputStream.nullInputStream(), Math.max(8192, wire.length));
            System.arraycopy(wire, 0, buf, 0, wire.length);
            length = wire.length;
        }

        Filled rewound() {
            count = 0;
            limit = length;
            return this;
        }
    }

    @Override
    public String about() {
        return "RESP3 without attributes; counts and depth are trusted, malformed UTF-8 is replaced";
    }

    @Override
    public Class<?> from() {
        return Protocol.class;
    }

    @Override
    public Supplier<Object> decode(Shape shape) {
        if (shape.kind() == Shape.Kind.COMMAND || shape.kind() == Shape.Kind.TEXT || shape.kind().isServed() || shape.isLarge()) {
            return null;
        }
        Filled in = new Filled(shape.wire());
        return switch (shape.kind()) {
            case SIMPLE, BULK -> built(in, BuilderFactory.STRING);
            case INTEGER -> built(in, BuilderFactory.LONG);
            case TEXTS -> built(in, BuilderFactory.STRING_LIST);
            case ERROR -> () -> {
                try {
                    return Protocol.read(in.rewound(), PUSHES);
                } catch (JedisDataException error) {
                    return error;
                }
            };
            case NUMBERS -> () -> numbers(Protocol.read(in.rewound(), PUSHES));
            case TABLE -> () -> {
                List<List<Long>> rows = new ArrayList<>();
                for (Object row : (List<?>) Protocol.read(in.rewound(), PUSHES)) {
                    rows.add(numbers(row));
                }
                return rows;
            };
            default -> () -> {
                List<Object> pairs = new ArrayList<>();
                for (Object each : (List<?>) Protocol.read(in.rewound(), PUSHES)) {
                    pairs.add(each instanceof byte[] ? BuilderFactory.STRING.build(each) : each);
                }
                return pairs;
            };
        };
    }

    private static Supplier<Object> built(Filled in, Builder<?> builder) {
        return () -> builder.build(Protocol.read(in.rewound(), PUSHES));
    }

    /** It has no builder for numbers that come as texts. */
    private static List<Long> numbers(Object reply) {
        List<?> elements = (List<?>) reply;
        List<Long> numbers = new ArrayList<>(elements.size());
        for (Object each : elements) {
            numbers.add(each == null ? null : Long.valueOf(BuilderFactory.STRING.build(each)));
        }
        return numbers;
    }

    @Override
    public Set<Shape.Kind> calls() {
        return Set.of(Shape.Kind.ROUND_TRIP, Shape.Kind.PIPELINE);
    }

    /** On a connection of its own, which is quicker than its pool. */
    @Override
    public Supplier<Object> call(Shape shape, int port) {
        Jedis client = new Jedis("127.0.0.1", port);
        if (shape.kind() == Shape.Kind.ROUND_TRIP) {
            return () -> client.get(Shape.KEY);
        }
        Pipeline pipeline = client.pipelined();
        return () -> {
            for (int i = 0; i < shape.count(); i++) {
                pipeline.set("newkey", Shape.STORED);
            }
            return pipeline.syncAndReturnAll();
        };
    }

    @Override
    public Object plain(Object result) {
        return result instanceof JedisDataException error ? error.getMessage() : result;
    }

    @Override
    public Supplier<Object> encode(Shape shape) {
        if (shape.kind() != Shape.Kind.COMMAND) {
            return null;
        }
        String[] words = shape.words().toArray(String[]::new);
        Protocol.Command name = Protocol.Command.valueOf(words[0]);
        return () -> {
            CommandArguments arguments = new CommandArguments(name);
            arguments.key(words[1]);
            for (int i = 2; i < words.length; i++) {
                arguments.add(words[i]);
            }
            Protocol.sendCommand(out, arguments);
            return out;
        };
    }

    @Override
    public byte[] written() {
        try {
            out.flush();
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        byte[] bytes = sink.kept.toByteArray();
        sink.kept = null;
        return bytes;
    }
}
