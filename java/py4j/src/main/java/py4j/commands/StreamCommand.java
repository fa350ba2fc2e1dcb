package py4j.commands;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import py4j.Protocol;
import py4j.ReturnObject;

/** Calls a method like {@link CallCommand}, and sends what its channel holds, without an end, after the answer. */
public class StreamCommand extends AbstractCommand {
    /** The first line of such commands. */
    public static final String STREAM_COMMAND_NAME = "S";
    private static final int PIECE = 64 * 1024;

    /** Creates one. */
    public StreamCommand() {
        commandName = STREAM_COMMAND_NAME;
    }

    @Override
    public void execute(String name, BufferedReader reader, BufferedWriter writer) throws IOException {
        Request request = new Request(reader, gateway);
        String target = request.line();
        String method = request.line();
        List<String> arguments = request.rest();
        ReturnObject returned = call(method, target, request, arguments);
        Object channel = returned.isReference() ? gateway.getObject(returned.getName()) : null;
        if (channel instanceof ReadableByteChannel in) {
            gateway.deleteObject(returned.getName());
            writer.write(Protocol.VOID_COMMAND);
            writer.flush();
            send(in);
            return;
        }
        ReturnObject error = returned.isError() ? returned : ReturnObject.getErrorReturnObject(new ClassCastException(
            "expected the method to return " + (channel == null ? "an Object" : "a ReadableByteChannel")));
        writer.write(Protocol.getOutputCommand(error));
        writer.flush();
    }

    private ReturnObject call(String method, String target, Request request, List<String> arguments) {
        try {
            return gateway.invoke(method, target, request.values(arguments));
        } catch (RuntimeException error) {
            return ReturnObject.getErrorReturnObject(error);
        }
    }

    private void send(ReadableByteChannel in) throws IOException {
        Socket socket = connection.getSocket();
        try (in) {
            WritableByteChannel out = Channels.newChannel(socket.getOutputStream());
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            while (in.read(piece) >= 0) {
                piece.flip();
                while (piece.hasRemaining()) {
                    out.write(piece);
                }
                piece.clear();
            }
        }
    }
}
