package py4j.commands;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import py4j.Protocol;
import py4j.Py4JJavaServer;

/** Closes connections by the client's address and the ports of their ends. There is no answer. */
public class CancelCommand extends AbstractCommand {
    /** Creates one. */
    public CancelCommand() {
        commandName = "z";
    }

    @Override
    public void execute(String name, BufferedReader reader, BufferedWriter writer) throws IOException {
        Request request = new Request(reader, gateway);
        String address = request.line();
        int remotePort = Integer.parseInt(request.line());
        int localPort = Integer.parseInt(request.line());
        if (gateway.getObject(Protocol.GATEWAY_SERVER_ID) instanceof Py4JJavaServer server) {
            server.shutdownSocket(address, remotePort, localPort);
        }
    }
}
