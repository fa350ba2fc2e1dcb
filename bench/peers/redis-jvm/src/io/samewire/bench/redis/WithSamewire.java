package io.samewire.bench.redis;

import io.samewire.core.Limits;
import io.samewire.redis.client.AsyncClient;
import io.samewire.redis.client.Pipeline;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.Result;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.Reply;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyScanner;
import io.samewire.redis.resp.RequestWriter;
import io.samewire.redis.resp.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Ours, on the array that the socket was read into. */
final class WithSamewire implements Library {
    /** Limits of a client. */
    private static final Limits LIMITS =
            Limits.DEFAULT.withFrameBytes(1 << 30).withItems(1 << 25).withCells(1 << 26);

    private final String mode;
    private final ReplyReader reader = new ReplyReader(LIMITS, Utf8.STRICT);
    private final ReplyScanner scanner = new ReplyScanner(LIMITS);
    private final RequestWriter out = new RequestWriter();

    /** {@code ""}; {@code lazy}: elements stay bytes; {@code scanned}: the end is found first; {@code bytes}: words encoded before. */
    WithSamewire(String mode) {
        this.mode = mode;
    }

    @Override
    public String about() {
        return "all of RESP3, limits, UTF-8 strict" + switch (mode) {
            case "lazy" -> "; elements stay bytes until they are asked for";
            case "scanned" -> "; the end of the reply is found before, as where it comes in pieces";
            case "bytes" -> "; name and keys encoded once";
            default -> "";
        };
    }

    @Override
    public Class<?> from() {
        return ReplyReader.class;
    }

    @Override
    public Supplier<Object> decode(Shape shape) {
        byte[] wire = shape.wire();
        int end = wire.length;
        if (shape.isLarge()) {
            return mode.isEmpty() ? () -> inPieces(wire, shape.piece()) : null;
        } else if (mode.equals("lazy")) {
            return shape.kind() == Shape.Kind.TEXTS ? () -> reader.reset(wire, 0, end).readReply() : null;
        } else if (mode.equals("bytes")) {
            return null;
        }
        Supplier<Object> read = read(shape.kind(), wire);
        if (mode.equals("scanned") && read != null) {
            return () -> {
                scanner.scan(wire, 0, end);
                return read.get();
            };
        }
        return read;
    }

    private List<String> inPieces(byte[] wire, int piece) {
        for (int there = piece; there < wire.length; there += piece) {
            scanner.scan(wire, 0, there);
        }
        int length = scanner.scan(wire, 0, wire.length);
        return texts(reader.reset(wire, 0, length));
    }

    private Supplier<Object> read(Shape.Kind kind, byte[] wire) {
        int end = wire.length;
        return switch (kind) {
            case SIMPLE, BULK -> () -> reader.reset(wire, 0, end).readString();
            case ERROR -> () -> reader.reset(wire, 0, end).readError();
            case INTEGER -> () -> reader.reset(wire, 0, end).readLong();
            case TEXTS -> () -> texts(reader.reset(wire, 0, end));
            case NUMBERS -> () -> numbers(reader.reset(wire, 0, end));
            case TABLE -> () -> table(reader.reset(wire, 0, end));
            case PAIRS -> () -> pairs(reader.reset(wire, 0, end));
            default -> null;
        };
    }

    private static List<String> texts(ReplyReader in) {
        int count = in.beginArray();
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(in.readString());
        }
        return texts;
    }

    private static List<Long> numbers(ReplyReader in) {
        int count = in.beginArray();
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (in.isNil()) {
                in.skip();
                numbers.add(null);
            } else {
                numbers.add(in.readLong());
            }
        }
        return numbers;
    }

    private static List<List<Long>> table(ReplyReader in) {
        int count = in.beginArray();
        List<List<Long>> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(numbers(in));
        }
        return rows;
    }

    private static List<Object> pairs(ReplyReader in) {
        int count = in.beginArray() / 2;
        List<Object> pairs = new ArrayList<>(2 * count);
        for (int i = 0; i < count; i++) {
            pairs.add(in.readString());
            pairs.add(in.readLong());
        }
        return pairs;
    }

    @Override
    public Set<Shape.Kind> calls() {
        return mode.isEmpty() ? Set.of(Shape.Kind.ROUND_TRIP, Shape.Kind.PIPELINE, Shape.Kind.CALLERS) : Set.of();
    }

    @Override
    public Supplier<Object> call(Shape shape, int port) {
        RedisClient client = RedisClient.connect("redis://127.0.0.1:" + port);
        if (shape.kind() == Shape.Kind.ROUND_TRIP) {
            return () -> client.execute(Strings.get(Shape.KEY));
        } else if (shape.kind() == Shape.Kind.PIPELINE) {
            Pipeline pipeline = client.pipeline();
            return () -> {
                for (int i = 0; i < shape.count(); i++) {
                    pipeline.add(Strings.set("newkey", Shape.STORED));
                }
                return pipeline.execute();
            };
        }
        AsyncClient async = client.async();
        return () -> Callers.run(() -> async.execute(Strings.get(Shape.KEY)).thenApply(Optional::get));
    }

    @Override
    public Object plain(Object result) {
        if (result instanceof Optional<?> found) {
            return found.orElse(null);
        } else if (result instanceof List<?> results && results.get(0) instanceof Result) {
            return results.stream().map(each -> ((Result<?>) each).get().equals(true) ? "OK" : "?").toList();
        }
        if (result instanceof RedisException error) {
            return error.text();
        } else if (result instanceof Reply.Array array) {
            return array.elements().stream().map(each -> ((Reply.Text) each).string()).toList();
        }
        return result;
    }

    @Override
    public Supplier<Object> encode(Shape shape) {
        if (shape.kind() == Shape.Kind.BULK && mode.isEmpty()) {
            String text = shape.text();
            return () -> {
                out.reset();
                out.word(text);
                return out;
            };
        } else if (shape.kind() != Shape.Kind.COMMAND || !mode.isEmpty() && !mode.equals("bytes")) {
            return null;
        }
        // As commands hold it, ours and those of others.
        byte[] name = encoded(shape.words().get(0));
        String[] words = shape.words().stream().skip(1).toArray(String[]::new);
        if (mode.isEmpty()) {
            return () -> {
                out.reset();
                out.begin(1 + words.length);
                out.raw(name);
                for (String word : words) {
                    out.word(word);
                }
                return out;
            };
        }
        byte[][] encoded = Stream.of(words).map(word -> word.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
        return () -> {
            out.reset();
            out.begin(1 + encoded.length);
            out.raw(name);
            for (byte[] word : encoded) {
                out.word(word);
            }
            return out;
        };
    }

    private static byte[] encoded(String word) {
        RequestWriter alone = new RequestWriter();
        alone.word(word);
        return alone.toByteArray();
    }

    @Override
    public byte[] written() {
        return out.toByteArray();
    }
}
