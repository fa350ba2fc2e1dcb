package py4j;

/** A listener that does nothing, to be extended. */
public class DefaultGatewayServerListener implements GatewayServerListener {
    /** Creates one. */
    public DefaultGatewayServerListener() {}

    @Override
    public void connectionError(Exception e) {}

    @Override
    public void connectionStarted(Py4JServerConnection gatewayConnection) {}

    @Override
    public void connectionStopped(Py4JServerConnection gatewayConnection) {}

    @Override
    public void serverError(Exception e) {}

    @Override
    public void serverPostShutdown() {}

    @Override
    public void serverPreShutdown() {}

    @Override
    public void serverStarted() {}

    @Override
    public void serverStopped() {}
}
