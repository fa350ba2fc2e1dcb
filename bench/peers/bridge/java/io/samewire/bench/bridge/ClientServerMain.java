package io.samewire.bench.bridge;

import py4j.ClientServer;

/** Py4J's other mode, in which each thread of Python has one of Java's: started as PySpark starts it. */
public final class ClientServerMain {
    private ClientServerMain() {}

    /** Prints its port, and ends with the program that started it. */
    public static void main(String[] args) throws Exception {
        ClientServer server = new ClientServer.ClientServerBuilder(null).javaPort(0).build();
        server.startServer();
        System.out.println(server.getJavaServer().getListeningPort());
        while (System.in.read() >= 0) {
            continue;
        }
        System.exit(0);
    }
}
