package io.samewire.bridge.value;

import io.samewire.bridge.PythonObject;
import io.samewire.bridge.session.AbsentMember;
import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.wire.Kind;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Proxies of Python objects that implement interfaces. While a proxy is alive, its Python object and interfaces always
 * give that proxy; type arguments that its methods return count as part of an interface.
 */
public final class PeerProxy implements InvocationHandler, PeerObject.Holder {
    private static final Class<?>[] NONE = {};
    private static final Object[] NO_ARGUMENTS = {};
    /** The calls for the methods of an interface. */
    private static final ClassValue<Map<Method, PeerCall>> CALLS = new ClassValue<>() {
        @Override
        protected Map<Method, PeerCall> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    };

    /** Lists of interfaces with a proxy class: clients choose them, and the JVM never unloads the class. */
    private static final Kept<String, Boolean> LISTS = new Kept<>();
    /** The size of such a class beside its names: this limits them to some 900, of 10 KB each outside of the heap. */
    private static final int CLASS = 768;

    /** Finds the interfaces that Python objects declare. Implemented by sessions' resolvers. */
    public interface Interfaces {
        /**
         * Returns the interfaces that a {@code peer} names; none if it is a callable.
         *
         * @throws SamewireException {@code misuse} without an offset if there is no such interface;
         *     {@code unsupported} if it may not be named
         */
        Class<?>[] interfaces(Session session, Kind kind);
    }

    private final PeerObject peer;
    /** The interface with type arguments that methods return; null if there are none. */
    private final Target typed;
    /** Whether default methods run in Java without asking Python: a callable has no methods of its own. */
    private final boolean callable;
    private final Map<Method, Boolean> absent = new ConcurrentHashMap<>();

    /** The proxies of one object, newest first. */
    private static final class Made {
        final Class<?>[] interfaces;
        final Target typed;
        final Object proxy;
        final Made older;

        Made(Class<?>[] interfaces, Target typed, Object proxy, Made older) {
            this.interfaces = interfaces;
            this.typed = typed;
            this.proxy = proxy;
            this.older = older;
        }
    }

    private PeerProxy(PeerObject peer, Target typed, boolean callable) {
        this.peer = peer;
        this.typed = typed;
        this.callable = callable;
    }

    /**
     * Returns a proxy of a Python object for one type: an interface, or {@link Object}.
     *
     * @throws SamewireException {@code type_mismatch} if it is a class
     */
    public static Object of(PeerObject peer, Target target) {
        Class<?> type = target.raw();
        if (type == Object.class || type == PythonObject.class) {
            return of(peer, NONE, false, target);
        } else if (!type.isInterface() || type.isSealed() || type.isAnnotation()) {
            throw Mismatch.of(peer, type, ": a Python object implements interfaces only");
        }
        return of(peer, new Class<?>[] {type}, Functional.method(type) != null, target);
    }

    /** Returns a proxy of a Python object for interfaces, passed for a target. */
    public static Object of(PeerObject peer, Class<?>[] interfaces, boolean callable, Target target) {
        Target typed = target.namesResults() ? target : null;
        Made found = find((Made) peer.implementations(), interfaces, typed);
        if (found == null) {
            synchronized (peer) {
                found = find((Made) peer.implementations(), interfaces, typed);
                if (found == null) {
                    Object proxy = create(peer.session(), interfaces, new PeerProxy(peer, typed, callable));
                    found = new Made(interfaces, typed, proxy, (Made) peer.implementations());
                    peer.implementations(found);
                }
            }
        }
        return found.proxy;
    }

    /** Returns the proxy of the same Python object and interfaces for a target; another value unchanged. */
    static Object typed(Object value, Target target) {
        PeerObject peer = target.namesResults() ? peer(value) : null;
        if (peer == null) {
            return value;
        }
        Made made = (Made) peer.implementations();
        while (made != null && made.proxy != value) {
            made = made.older;
        }
        boolean callable = ((PeerProxy) Proxy.getInvocationHandler(value)).callable;
        return made == null ? value : of(peer, made.interfaces, callable, target);
    }

    private static Made find(Made newest, Class<?>[] interfaces, Target typed) {
        Made made = newest;
        while (made != null && !(isSame(made.typed, typed) && Arrays.equals(made.interfaces, interfaces))) {
            made = made.older;
        }
        return made;
    }

    private static boolean isSame(Target one, Target other) {
        return one == other || one != null && other != null && one.type().equals(other.type());
    }

    /**
     * Returns the proxy class for interfaces.
     *
     * @throws SamewireException as {@link #of(PeerObject, Target)}
     */
    public static Class<?> type(Session session, Class<?>... interfaces) {
        return create(session, interfaces, (proxy, method, arguments) -> null).getClass();
    }

    private static Object create(Session session, Class<?>[] interfaces, InvocationHandler handler) {
        List<Class<?>> all = new ArrayList<>(interfaces.length + 1);
        ClassLoader ours = PythonObject.class.getClassLoader();
        ClassLoader loader = ours != null ? ours : ClassLoader.getSystemClassLoader();
        for (Class<?> one : interfaces) {
            session.policy().checkNamed(one);
            if (!all.contains(one)) {
                all.add(one);
            }
            if (!sees(loader, one)) {
                loader = one.getClassLoader();
            }
        }
        if (!all.contains(PythonObject.class) && sees(loader, PythonObject.class)) {
            all.add(PythonObject.class);
        }
        checkRoom(all);
        try {
            return Proxy.newProxyInstance(loader, all.toArray(NONE), handler);
        } catch (IllegalArgumentException refused) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, null, "no object implements "
                + Arrays.toString(interfaces) + ": " + refused.getMessage(), refused);
        }
    }

    /**
     * Checks the limit of proxy classes. Classes of a single interface are not limited: there are only as many as
     * interfaces.
     */
    private static void checkRoom(List<Class<?>> interfaces) {
        if (interfaces.size() > 2) {
            StringBuilder names = new StringBuilder();
            for (Class<?> one : interfaces) {
                names.append(one.getName()).append(' ');
            }
            String key = names.toString();
            if (LISTS.get(key) == null && !LISTS.put(key, true, CLASS + key.length())) {
                throw new SamewireException(Code.LIMIT_ITEMS, -1, null, "Python objects of this JVM's clients implement"
                    + " too many different lists of interfaces: use fewer");
            }
        }
    }

    private static boolean sees(ClassLoader loader, Class<?> type) {
        if (type.getClassLoader() == null || type.getClassLoader() == loader) {
            return true;
        }
        try {
            return Class.forName(type.getName(), false, loader) == type;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /** Returns the Python object of a proxy; null of another object. */
    public static PeerObject peer(Object object) {
        return object instanceof Proxy && Proxy.getInvocationHandler(object) instanceof PeerProxy
            ? ((PeerProxy) Proxy.getInvocationHandler(object)).peer : null;
    }

    @Override
    public PeerObject peerObject() {
        return peer;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object[] given = arguments == null ? NO_ARGUMENTS : arguments;
        try {
            return invoked(proxy, method, given);
        } catch (SamewireException failed) {
            throw peer.session().failure(failed);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable checked) {
            throw declares(method, checked) ? checked : undeclared(method, checked);
        }
    }

    private static boolean declares(Method method, Throwable checked) {
        for (Class<?> declared : method.getExceptionTypes()) {
            if (declared.isInstance(checked)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Wraps an undeclared checked exception. The JDK's wrapper has no message. Back in Python it is unwrapped again.
     */
    private static UndeclaredThrowableException undeclared(Method method, Throwable checked) {
        return new UndeclaredThrowableException(checked, checked + " (" + method.getDeclaringClass().getName() + '.'
            + method.getName() + " does not declare it)");
    }

    private Object invoked(Object proxy, Method method, Object[] given) throws Throwable {
        Class<?> owner = method.getDeclaringClass();
        if (owner == Object.class) {
            return ofObject(proxy, method, given);
        } else if (owner == PythonObject.class) {
            return member((String) given[0], (Object[]) given[1]);
        } else if (method.isDefault()) {
            return ofDefault(proxy, method, given);
        }
        return called(call(method), given);
    }

    private Object called(PeerCall call, Object[] arguments) throws Throwable {
        try {
            return peer.session().callPeer(call, peer, arguments);
        } catch (AbsentMember none) {
            throw none.refusal();
        }
    }

    private PeerCall call(Method method) {
        PeerCall declared = typed == null ? null : typed.call(method);
        if (declared != null) {
            return declared;
        }
        Map<Method, PeerCall> known = CALLS.get(method.getDeclaringClass());
        PeerCall call = known.get(method);
        if (call == null) {
            PeerCall made = PeerCall.of(method);
            call = known.putIfAbsent(method, made);
            call = call == null ? made : call;
        }
        return call;
    }

    private Object ofObject(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (arguments.length == 1) {
            if (proxy == arguments[0] || peer(arguments[0]) == peer) {
                return true;
            }
        } else if (method.getReturnType() == String.class) {
            try {
                return called(call(method), arguments);
            } catch (SamewireException gone) {
                return "Python object " + peer.number() + " (" + gone.code() + ")";
            }
        }
        return called(call(method), arguments);
    }

    /** Calls a default method: Python's, if the object has it. */
    private Object ofDefault(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (!callable && !absent.containsKey(method)) {
            try {
                return peer.session().callPeer(call(method), peer, arguments);
            } catch (AbsentMember none) {
                absent.put(method, true);
            }
        }
        return InvocationHandler.invokeDefault(proxy, method, arguments);
    }

    private Object member(String name, Object[] arguments) throws Throwable {
        Object[] given = arguments == null ? NO_ARGUMENTS : arguments;
        Class<?>[] types = new Class<?>[given.length];
        Arrays.fill(types, Object.class);
        return called(PeerCall.of(name, types, Target.OBJECT), given);
    }
}
