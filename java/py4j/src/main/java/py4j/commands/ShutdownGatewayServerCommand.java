package py4j.commands;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import py4j.Protocol;
import py4j.Py4JJavaServer;

/** Ends the server, and this connection with it: there is no answer. */
public class ShutdownGatewayServerCommand extends AbstractCommand {
    /** The first line of such commands. */
    public static final String SHUTDOWN_GATEWAY_SERVER_COMMAND_NAME = "s";

    /** Creates one. */
    public ShutdownGatewayServerCommand() {
        commandName = SHUTDOWN_GATEWAY_SERVER_COMMAND_NAME;
    }

    @Override
    public void execute(String name, BufferedReader reader, BufferedWriter writer) {
        ((Py4JJavaServer) gateway.getObject(Protocol.GATEWAY_SERVER_ID)).shutdown();
    }
}
