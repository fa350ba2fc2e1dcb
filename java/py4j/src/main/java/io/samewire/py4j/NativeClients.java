package io.samewire.py4j;

import io.samewire.bridge.PythonObject;
import io.samewire.py4j.invoke.Fit;
import io.samewire.py4j.text.LineReader;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import py4j.Gateway;
import py4j.Py4JException;

/** The gateways that speak the bridge's dialect too, since a client has asked for it. */
public final class NativeClients {
    private static final Map<Long, NativeClients> BY_ID = new ConcurrentHashMap<>();
    private static final AtomicLong IDS = new AtomicLong();

    private final long id = IDS.incrementAndGet();
    private final Gateway gateway;
    private final NativeGateway bridge;
    private volatile Object entryPoint;

    private NativeClients(Gateway gateway) throws IOException {
        this.gateway = gateway;
        this.bridge = NativeGateway.open();
    }

    /** Returns those of a gateway; opens the bridge for the first. */
    static NativeClients of(Gateway gateway) throws IOException {
        synchronized (BY_ID) {
            NativeClients open = find(gateway);
            if (open == null) {
                open = new NativeClients(gateway);
                BY_ID.put(open.id, open);
                open.showInBindings(open.bridge::exported);
            }
            return open;
        }
    }

    /**
     * Serves a connection to a gateway's port in the bridge's dialect. Does nothing and returns false if no client has
     * asked for that dialect: none knows a token of it then.
     */
    static boolean serve(Gateway gateway, Socket socket, LineReader reader) throws IOException {
        NativeClients open = find(gateway);
        if (open == null) {
            return false;
        }
        Strangers.HERE.leave(socket);
        open.bridge.serve(socket, reader.takeRead());
        return true;
    }

    private static NativeClients find(Gateway gateway) {
        for (NativeClients open : BY_ID.values()) {
            if (open.gateway == gateway) {
                return open;
            }
        }
        return null;
    }

    /**
     * Returns those of an id.
     *
     * @throws Py4JException if their server has ended
     */
    static NativeClients of(long id) {
        NativeClients open = BY_ID.get(id);
        if (open == null) {
            throw new Py4JException("there is no server of the id " + id + ": it has been shut down");
        }
        return open;
    }

    /** Ends the bridge of a gateway, if it has one. */
    public static void close(Gateway gateway) {
        NativeClients open;
        synchronized (BY_ID) {
            open = find(gateway);
            if (open != null) {
                BY_ID.remove(open.id);
            }
        }
        if (open != null) {
            open.showInBindings(Map::of);
            open.bridge.close();
        }
    }

    /** Has the gateway's bindings show the objects that clients have got over the bridge. */
    private void showInBindings(Supplier<Map<String, Object>> exported) {
        if (gateway.getBindings() instanceof Bindings known) {
            known.setOthers(exported);
        }
    }

    Gateway gateway() {
        return gateway;
    }

    /** Returns what {@link Dialect#offer} answers. */
    String offer() {
        return "samewire 1 " + id + " " + bridge.address() + " " + bridge.token();
    }

    /** Sets Python's entry point, or that there is none. */
    void setEntryPoint(Object object) {
        if (object != null && !(object instanceof PythonEntryPoint || object instanceof PythonObject)) {
            throw new Py4JException("Python's entry point is an object of Python's, not "
                + object.getClass().getName());
        }
        entryPoint = object;
    }

    /** Returns an object that implements interfaces by calling Python's entry point; null if no client has set one. */
    public static Object entryPoint(Gateway gateway, ClassLoader loader, Class<?>[] interfaces) {
        NativeClients open = find(gateway);
        Object python = open == null ? null : open.entryPoint;
        if (python == null) {
            return null;
        }
        // An object that implements them already is called without a second proxy.
        for (Class<?> type : interfaces) {
            if (!type.isInstance(python)) {
                return Proxy.newProxyInstance(loader, interfaces, new Calls(python));
            }
        }
        return python;
    }

    /** Calls Python's entry point over the bridge. */
    private record Calls(Object python) implements InvocationHandler {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            Object[] passed = arguments == null ? new Object[0] : arguments;
            Object value = python instanceof PythonEntryPoint entryPoint ? entryPoint.call(method.getName(), passed)
                : ((PythonObject) python).callPython(method.getName(), passed);
            Class<?> type = method.getReturnType();
            if (type == void.class || value == null) {
                return null;
            }
            if (!Fit.isConvertible(type, value)) {
                throw new Py4JException("Incompatible output type. Expected: " + type.getName() + " Actual: "
                    + value.getClass().getName());
            }
            return Fit.convert(type, value);
        }
    }
}
