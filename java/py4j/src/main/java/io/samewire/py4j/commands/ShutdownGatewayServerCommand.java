package io.samewire.py4j.commands;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import py4j.Protocol;
import py4j.Py4JJavaServer;
import py4j.commands.AbstractCommand;

/** Ends the server, and this connection with it: there is no answer. */
public final class ShutdownGatewayServerCommand extends AbstractCommand {
    /** Creates one. */
    public ShutdownGatewayServerCommand() {
        commandName = "s";
    }

    @Override
    public void execute(String name, BufferedReader reader, BufferedWriter writer) {
        ((Py4JJavaServer) gateway.getObject(Protocol.GATEWAY_SERVER_ID)).shutdown();
    }
}
