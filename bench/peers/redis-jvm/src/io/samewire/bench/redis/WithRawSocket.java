package io.samewire.bench.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Supplier;

/** What no client can beat at one call: ready bytes, written and read in direct memory; a reply is known by its length. */
final class WithRawSocket implements Library {
    @Override
    public String about() {
        return "how many bytes a reply has";
    }

    @Override
    public Class<?> from() {
        return SocketChannel.class;
    }

    @Override
    public boolean isLimit() {
        return true;
    }

    @Override
    public Set<Shape.Kind> calls() {
        return Set.of(Shape.Kind.ROUND_TRIP);
    }

    @Override
    public Supplier<Object> call(Shape shape, int port) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        byte[] command = "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocateDirect(command.length).put(command);
        ByteBuffer in = ByteBuffer.allocateDirect(1 << 14);
        int due = "$3\r\nabc\r\n".length();
        return () -> {
            try {
                channel.write(out.rewind());
                in.clear();
                while (in.position() < due) {
                    channel.read(in);
                }
                return in;
            } catch (IOException lost) {
                throw new UncheckedIOException(lost);
            }
        };
    }

    @Override
    public Object plain(Object result) {
        ByteBuffer in = (ByteBuffer) result;
        return StandardCharsets.US_ASCII.decode(in.duplicate().flip().position("$3\r\n".length()).limit("$3\r\nabc".length())).toString();
    }
}
