package py4j;

import io.samewire.py4j.Bindings;
import io.samewire.py4j.invoke.Choice;
import io.samewire.py4j.invoke.Choices;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import py4j.reflection.ReflectionUtil;

/** The objects that Python knows by id, and calls of their methods. */
public class Gateway {
    private final Map<String, Object> bindings = new ConcurrentHashMap<>();
    private final Map<String, Object> known = new Bindings(bindings);
    private final AtomicInteger objects = new AtomicInteger();
    private final AtomicInteger arguments = new AtomicInteger();
    private final Object entryPoint;
    private final JVMView defaultView = new JVMView("default", Protocol.DEFAULT_JVM_OBJECT_ID);
    private volatile Py4JPythonClient client;
    private volatile boolean started;

    /** Creates a gateway without callbacks. */
    public Gateway(Object entryPoint) {
        this(entryPoint, null);
    }

    /**
     * Creates a gateway.
     *
     * @param entryPoint the object that Python finds as the entry point, or null
     * @param cbClient what calls Python, or null
     */
    public Gateway(Object entryPoint, Py4JPythonClient cbClient) {
        this.entryPoint = entryPoint;
        this.client = cbClient;
    }

    /** Replaces what calls Python by one for another address. No two threads may do so at a time. */
    public void resetCallbackClient(InetAddress pythonAddress, int pythonPort) {
        if (client == null) {
            throw new Py4JException("Callback Client is already null and cannot be reset");
        }
        client.shutdown();
        client = client.copyWith(pythonAddress, pythonPort);
    }

    /** Does nothing; called when a connection is closed, for classes that extend this one. */
    public void closeConnection() {}

    /** Forgets an object. */
    public void deleteObject(String objectId) {
        bindings.remove(objectId);
    }

    /** Returns the counter of arguments, for classes that extend this one. */
    protected AtomicInteger getArgCounter() {
        return arguments;
    }

    /** Returns the counter of objects, for classes that extend this one. */
    protected AtomicInteger getObjCounter() {
        return objects;
    }

    /**
     * Returns the objects that Python knows, by their ids. Those that it got over the bridge have none: they are there
     * under names of another form, which no command takes.
     */
    public Map<String, Object> getBindings() {
        return known;
    }

    /** Returns what calls Python, or null. */
    public Py4JPythonClient getCallbackClient() {
        return client;
    }

    /** Returns the view of the JVM that is always there. */
    public JVMView getDefaultJVMView() {
        return defaultView;
    }

    /** Returns the object that Python finds as the entry point, or null. */
    public Object getEntryPoint() {
        return entryPoint;
    }

    /** Returns an id that no object has had. */
    protected String getNextObjectId() {
        return "o" + objects.getAndIncrement();
    }

    /** Returns the object of an id, or null. */
    public Object getObject(String objectId) {
        return bindings.get(objectId);
    }

    /** Returns the object of an id, null for that of a class. */
    protected Object getObjectFromId(String targetObjectId) {
        return targetObjectId.startsWith(Protocol.STATIC_PREFIX) ? null : getObject(targetObjectId);
    }

    /** Returns an object as it stands in an answer. What does not go by value is kept under a new id. */
    public ReturnObject getReturnObject(Object object) {
        if (object == null) {
            return ReturnObject.getNullReturnObject();
        }
        if (isPrimitiveObject(object)) {
            return ReturnObject.getPrimitiveReturnObject(object);
        }
        if (isDecimalObject(object)) {
            return ReturnObject.getDecimalReturnObject(object);
        }
        String id = putNewObject(object);
        if (isList(object)) {
            return ReturnObject.getListReturnObject(id, ((List<?>) object).size());
        }
        if (isMap(object)) {
            return ReturnObject.getMapReturnObject(id, ((Map<?, ?>) object).size());
        }
        if (isArray(object)) {
            return ReturnObject.getArrayReturnObject(id, Array.getLength(object));
        }
        if (isSet(object)) {
            return ReturnObject.getSetReturnObject(id, ((Set<?>) object).size());
        }
        return object instanceof Iterator ? ReturnObject.getIteratorReturnObject(id)
            : ReturnObject.getReferenceReturnObject(id);
    }

    /** Calls a constructor. */
    public ReturnObject invoke(String fqn, List<Object> args) {
        Object[] parameters = args == null ? new Object[0] : args.toArray();
        return call(Choices.constructor(classNamed(fqn), parameters), null, parameters);
    }

    /**
     * Calls a method.
     *
     * @param targetObjectId an object's id, or {@code z:} and the name of a class
     */
    public ReturnObject invoke(String methodName, String targetObjectId, List<Object> args) {
        Object[] parameters = args == null ? new Object[0] : args.toArray();
        Object target = getObjectFromId(targetObjectId);
        Class<?> type;
        if (target != null) {
            type = target.getClass();
        } else if (targetObjectId.startsWith(Protocol.STATIC_PREFIX)) {
            type = classNamed(targetObjectId.substring(Protocol.STATIC_PREFIX.length()));
        } else {
            throw new Py4JException("Target Object ID does not exist for this gateway :" + targetObjectId);
        }
        return call(Choices.method(type, methodName, parameters), target, parameters);
    }

    private static Class<?> classNamed(String fqn) {
        try {
            return ReflectionUtil.classForName(fqn);
        } catch (ClassNotFoundException | LinkageError absent) {
            throw new Py4JException(absent);
        }
    }

    private ReturnObject call(Choice choice, Object target, Object[] parameters) {
        Object value;
        try {
            value = choice.call(target, parameters);
        } catch (Py4JJavaException thrown) {
            return ReturnObject.getErrorReferenceReturnObject(putNewObject(thrown.getCause()));
        }
        return choice.isVoid() ? ReturnObject.getVoidReturnObject() : getReturnObject(value);
    }

    /** Returns whether an object is an array. */
    protected boolean isArray(Object object) {
        return object.getClass().isArray();
    }

    /** Returns whether an object goes as a decimal number. */
    protected boolean isDecimalObject(Object object) {
        return object instanceof BigDecimal;
    }

    /** Returns whether an object is a list. */
    protected boolean isList(Object object) {
        return object instanceof List;
    }

    /** Returns whether an object is a map. */
    protected boolean isMap(Object object) {
        return object instanceof Map;
    }

    /** Returns whether an object is a set. */
    protected boolean isSet(Object object) {
        return object instanceof Set;
    }

    /** Returns whether an object goes by value. */
    protected boolean isPrimitiveObject(Object object) {
        return object instanceof Boolean || object instanceof String || object instanceof Character
            || object instanceof byte[]
            || object instanceof Number && !(object instanceof BigDecimal || object instanceof BigInteger);
    }

    /** Returns whether the gateway has started. */
    public boolean isStarted() {
        return started;
    }

    /** Sets whether the gateway has started. */
    public void setStarted(boolean isStarted) {
        started = isStarted;
    }

    /** Keeps an object under a new id, which is returned. */
    public String putNewObject(Object object) {
        String id = getNextObjectId();
        bindings.put(id, object);
        return id;
    }

    /** Keeps an object under an id, and returns what was there. */
    public Object putObject(String id, Object object) {
        return bindings.put(id, object);
    }

    /** Returns an object that implements interfaces by calling a Python object. */
    public Object createProxy(ClassLoader classLoader, @SuppressWarnings("rawtypes") Class[] interfacesToImplement,
        String objectId) {
        PythonProxy handler = new PythonProxy(objectId, this);
        Object proxy = Proxy.newProxyInstance(classLoader, interfacesToImplement, handler);
        handler.forgetWith(proxy);
        return proxy;
    }

    /** Forgets all objects, and closes the connections to Python. */
    public void shutdown() {
        shutdown(true);
    }

    /** Forgets all objects, and closes the connections to Python if that is wished. */
    public void shutdown(boolean shutdownCallbackClient) {
        started = false;
        bindings.clear();
        if (client != null && shutdownCallbackClient) {
            client.shutdown();
        }
    }

    /** Makes the entry point and the default view known. */
    public void startup() {
        started = true;
        if (entryPoint != null) {
            bindings.put(Protocol.ENTRY_POINT_OBJECT_ID, entryPoint);
        }
        bindings.put(Protocol.DEFAULT_JVM_OBJECT_ID, defaultView);
    }
}
