package io.samewire.bench.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Lettuce: its state machine with an output for each reply, and its commands; on the direct buffers that it uses itself. */
final class WithLettuce implements Library {
    private static final StringCodec CODEC = StringCodec.UTF8;

    private final RedisStateMachine machine = new RedisStateMachine();
    private final ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(1 << 17);

    @Override
    public String about() {
        return "RESP3 without attributes; counts are trusted, 32 levels, malformed UTF-8 is replaced";
    }

    @Override
    public Class<?> from() {
        return RedisStateMachine.class;
    }

    @Override
    public Supplier<Object> decode(Shape shape) {
        if (shape.kind() == Shape.Kind.COMMAND || shape.kind() == Shape.Kind.TEXT || shape.kind().isServed() || shape.isLarge()) {
            return null;
        }
        ByteBuf in = PooledByteBufAllocator.DEFAULT.directBuffer(shape.wire().length);
        in.writeBytes(shape.wire());
        return switch (shape.kind()) {
            case SIMPLE -> () -> read(in, new StatusOutput<>(CODEC)).get();
            case INTEGER -> () -> read(in, new IntegerOutput<>(CODEC)).get();
            case BULK -> () -> read(in, new ValueOutput<>(CODEC)).get();
            case TEXTS -> () -> read(in, new ValueListOutput<>(CODEC)).get();
            case ERROR -> () -> read(in, new StatusOutput<>(CODEC)).getError();
            case NUMBERS -> () -> numbers(read(in, new ValueListOutput<>(CODEC)).get());
            case TABLE -> () -> {
                List<List<Long>> rows = new ArrayList<>();
                for (Object row : read(in, new NestedMultiOutput<>(CODEC)).get()) {
                    rows.add(numbers((List<?>) row));
                }
                return rows;
            };
            default -> () -> read(in, new NestedMultiOutput<>(CODEC)).get();
        };
    }

    private <T> CommandOutput<String, String, T> read(ByteBuf in, CommandOutput<String, String, T> output) {
        in.readerIndex(0);
        machine.decode(in, output);
        return output;
    }

    /** It has no output for numbers that come as texts. */
    private static List<Long> numbers(List<?> texts) {
        List<Long> numbers = new ArrayList<>(texts.size());
        for (Object text : texts) {
            numbers.add(text == null ? null : Long.valueOf((String) text));
        }
        return numbers;
    }

    @Override
    public Set<Shape.Kind> calls() {
        return Set.of(Shape.Kind.ROUND_TRIP, Shape.Kind.PIPELINE, Shape.Kind.CALLERS);
    }

    /** Its pipelines are flushed by hand, as it advises. */
    @Override
    public Supplier<Object> call(Shape shape, int port) {
        StatefulRedisConnection<String, String> connection = RedisClient.create("redis://127.0.0.1:" + port).connect();
        RedisAsyncCommands<String, String> async = connection.async();
        if (shape.kind() == Shape.Kind.ROUND_TRIP) {
            return () -> connection.sync().get(Shape.KEY);
        } else if (shape.kind() == Shape.Kind.CALLERS) {
            return () -> Callers.run(() -> async.get(Shape.KEY));
        }
        connection.setAutoFlushCommands(false);
        return () -> {
            List<RedisFuture<String>> sent = new ArrayList<>(shape.count());
            for (int i = 0; i < shape.count(); i++) {
                sent.add(async.set("newkey", Shape.STORED));
            }
            connection.flushCommands();
            List<String> replies = new ArrayList<>(sent.size());
            try {
                for (RedisFuture<String> each : sent) {
                    replies.add(each.get());
                }
            } catch (InterruptedException | ExecutionException failed) {
                throw new IllegalStateException(failed);
            }
            return replies;
        };
    }

    @Override
    public Supplier<Object> encode(Shape shape) {
        if (shape.kind() != Shape.Kind.COMMAND) {
            return null;
        }
        String[] words = shape.words().toArray(String[]::new);
        CommandType name = CommandType.valueOf(words[0]);
        return () -> {
            CommandArgs<String, String> arguments = new CommandArgs<>(CODEC);
            arguments.addKey(words[1]);
            for (int i = 2; i < words.length; i++) {
                arguments.addValue(words[i]);
            }
            out.clear();
            new Command<>(name, new StatusOutput<>(CODEC), arguments).encode(out);
            return out;
        };
    }

    @Override
    public byte[] written() {
        byte[] bytes = new byte[out.readableBytes()];
        out.getBytes(0, bytes);
        return bytes;
    }
}
