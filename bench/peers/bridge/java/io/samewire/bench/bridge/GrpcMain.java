package io.samewire.bench.bridge;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * gRPC with bytes for messages, packed by hand, and calls on the thread of the connection: a service with protobuf's messages is not
 * faster.
 */
public final class GrpcMain {
    private static final int MOST = Integer.MAX_VALUE;
    private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try (stream) {
                return stream.readAllBytes();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    };

    private GrpcMain() {}

    /** Prints its port, and ends with its standard input. */
    public static void main(String[] args) throws Exception {
        ServerServiceDefinition service = ServerServiceDefinition.builder("bench.Target")
                .addMethod(method("args0"), unary(message -> text(Target.args0())))
                .addMethod(method("args8"), unary(message -> text(args8(message))))
                .addMethod(method("take"), unary(message -> text(Target.take(message))))
                .addMethod(method("give"), unary(message -> Target.give(ByteBuffer.wrap(message).getInt())))
                .build();
        Server server = NettyServerBuilder.forPort(0).directExecutor().maxInboundMessageSize(MOST).addService(service).build().start();
        System.out.println(server.getPort());
        while (System.in.read() >= 0) {
            continue;
        }
        Runtime.getRuntime().halt(0);
    }

    /** The arguments as Python's struct packs them: fixed fields, the lengths of the texts, the texts. */
    private static double args8(byte[] message) {
        ByteBuffer fields = ByteBuffer.wrap(message);
        int a = fields.getInt();
        long b = fields.getLong();
        double c = fields.getDouble();
        boolean e = fields.get() != 0;
        byte[] f = new byte[32];
        fields.get(f);
        int g = fields.getInt();
        byte[] d = new byte[fields.get()];
        byte[] h = new byte[fields.get()];
        fields.get(d).get(h);
        return Target.args8(a, b, c, new String(d, StandardCharsets.UTF_8), e, f, g, new String(h, StandardCharsets.UTF_8));
    }

    private static byte[] text(Object result) {
        return result.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static ServerCallHandler<byte[], byte[]> unary(UnaryOperator<byte[]> call) {
        return ServerCalls.asyncUnaryCall((message, reply) -> {
            reply.onNext(call.apply(message));
            reply.onCompleted();
        });
    }

    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.newBuilder(BYTES, BYTES)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("bench.Target/" + name)
                .build();
    }
}
