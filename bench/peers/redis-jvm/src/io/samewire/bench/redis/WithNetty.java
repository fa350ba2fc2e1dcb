package io.samewire.bench.redis;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.redis.ArrayRedisMessage;
import io.netty.handler.codec.redis.ErrorRedisMessage;
import io.netty.handler.codec.redis.FullBulkStringRedisMessage;
import io.netty.handler.codec.redis.IntegerRedisMessage;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.handler.codec.redis.RedisMessage;
import io.netty.handler.codec.redis.SimpleStringRedisMessage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Netty's codec in an embedded channel, which adds about 200 ns a message: an upper bound on its cost. */
final class WithNetty implements Library {
    private final EmbeddedChannel in =
            new EmbeddedChannel(new RedisDecoder(), new RedisBulkStringAggregator(), new RedisArrayAggregator(1 << 20, 64));
    private final EmbeddedChannel out = new EmbeddedChannel(new RedisEncoder());
    private ByteArrayOutputStream kept = new ByteArrayOutputStream();

    @Override
    public String about() {
        return "RESP2; malformed UTF-8 is replaced; an EmbeddedChannel is included";
    }

    @Override
    public Class<?> from() {
        return RedisDecoder.class;
    }

    @Override
    public Supplier<Object> decode(Shape shape) {
        if (shape.kind() == Shape.Kind.COMMAND || shape.kind() == Shape.Kind.TEXT || shape.kind().isServed() || shape.isLarge()) {
            return null;
        }
        ByteBuf wire = Unpooled.directBuffer(shape.wire().length).writeBytes(shape.wire());
        boolean numbers = shape.kind() == Shape.Kind.NUMBERS || shape.kind() == Shape.Kind.TABLE;
        return () -> {
            in.writeInbound(wire.retainedDuplicate());
            RedisMessage message = in.readInbound();
            try {
                return value(message, numbers);
            } finally {
                io.netty.util.ReferenceCountUtil.release(message);
            }
        };
    }

    private static Object value(RedisMessage message, boolean numbers) {
        if (message instanceof SimpleStringRedisMessage text) {
            return text.content();
        } else if (message instanceof ErrorRedisMessage text) {
            return text.content();
        } else if (message instanceof IntegerRedisMessage number) {
            return number.value();
        } else if (message instanceof FullBulkStringRedisMessage bulk) {
            String text = bulk.isNull() ? null : bulk.content().toString(StandardCharsets.UTF_8);
            return text != null && numbers ? (Object) Long.valueOf(text) : text;
        }
        List<Object> elements = new ArrayList<>();
        for (RedisMessage element : ((ArrayRedisMessage) message).children()) {
            elements.add(value(element, numbers));
        }
        return elements;
    }

    @Override
    public Supplier<Object> encode(Shape shape) {
        if (shape.kind() != Shape.Kind.COMMAND) {
            return null;
        }
        String[] words = shape.words().toArray(String[]::new);
        return () -> {
            List<RedisMessage> elements = new ArrayList<>(words.length);
            for (String word : words) {
                elements.add(new FullBulkStringRedisMessage(Unpooled.copiedBuffer(word, StandardCharsets.UTF_8)));
            }
            out.writeOutbound(new ArrayRedisMessage(elements));
            for (ByteBuf part = out.readOutbound(); part != null; part = out.readOutbound()) {
                if (kept != null) {
                    kept.writeBytes(io.netty.buffer.ByteBufUtil.getBytes(part));
                }
                part.release();
            }
            return out;
        };
    }

    @Override
    public byte[] written() {
        byte[] bytes = kept.toByteArray();
        kept = null;
        return bytes;
    }
}
