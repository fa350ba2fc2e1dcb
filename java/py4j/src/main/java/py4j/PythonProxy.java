package py4j;

import io.samewire.py4j.invoke.Fit;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;

/** Calls a Python object by commands to the callback server. */
final class PythonProxy implements InvocationHandler {
    /**
     * Sends what waits for Python: not the thread on which the JVM cleans up for itself. Nor one that a cleaner makes
     * by itself, which forgets its thread's variables, and so its connection to Python, after each object.
     */
    private static final Cleaner CLEANER = Cleaner.create(work -> {
        Thread thread = new Thread(work, "py4j-forgotten-proxies");
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    });

    private final String id;
    private final Gateway gateway;

    /** Creates a handler of the Python object of an id. */
    PythonProxy(String id, Gateway gateway) {
        this.id = id;
        this.gateway = gateway;
    }

    /** Notifies Python when the proxy is garbage. The entry point stays. */
    void forgetWith(Object proxy) {
        Py4JPythonClient client = gateway.getCallbackClient();
        if (client != null && client.isMemoryManagementEnabled() && !id.equals(Protocol.ENTRY_POINT_OBJECT_ID)) {
            CLEANER.register(proxy, new Forgetting(id, new WeakReference<>(gateway)));
        }
    }

    /** Sends the release of a Python object. Does nothing if the gateway was collected. */
    private record Forgetting(String id, WeakReference<Gateway> gateway) implements Runnable {
        @Override
        public void run() {
            Gateway open = gateway.get();
            if (open != null) {
                try {
                    open.getCallbackClient().sendCommand("g\n" + id + "\ne\n", false);
                } catch (Py4JException gone) {
                    // Python has ended, and its object with it.
                    return;
                }
            }
        }
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        StringBuilder command = new StringBuilder("c\n").append(id).append('\n').append(method.getName()).append('\n');
        if (arguments != null) {
            for (Object argument : arguments) {
                command.append(gateway.getReturnObject(argument).getCommandPart()).append('\n');
            }
        }
        String answer = gateway.getCallbackClient().sendCommand(command.append("e\n").toString());
        Object value = Protocol.getReturnValue(answer, gateway);
        Class<?> type = method.getReturnType();
        if (value == null || type == void.class) {
            return value;
        }
        if (!Fit.isConvertible(type, value)) {
            throw new Py4JException("Incompatible output type. Expected: " + type.getName() + " Actual: "
                + value.getClass().getName());
        }
        return Fit.convert(type, value);
    }
}
