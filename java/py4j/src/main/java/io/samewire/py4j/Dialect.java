package io.samewire.py4j;

import java.io.IOException;
import py4j.Gateway;
import py4j.Py4JException;
import py4j.Py4JPythonClient;

/** What a client asks, over the text protocol, that would rather speak the bridge's. */
public final class Dialect {
    private Dialect() {}

    /**
     * Returns how to reach the server of the calling client over the bridge: {@code samewire 1}, the server's number,
     * the address of its unix socket or {@code -}, and a token, between spaces; the address may have spaces. Whom the
     * socket is out of reach for connects to the port that it has asked on.
     *
     * @throws Py4JException if no client's command calls this, or the server's calls of Python have a time limit,
     *     which only the text protocol keeps
     */
    public static String offer() throws IOException {
        Gateway gateway = Serving.current();
        if (gateway == null) {
            throw new Py4JException("only a client of a Py4J server can be offered its dialect");
        }
        Py4JPythonClient client = gateway.getCallbackClient();
        if (client != null && client.getReadTimeout() > 0) {
            throw new Py4JException("calls of Python have a time limit of " + client.getReadTimeout()
                + " ms: the text protocol keeps it");
        }
        return NativeClients.of(gateway).offer();
    }
}
