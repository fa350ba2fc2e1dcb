package io.samewire.bridge.operations;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * What a Python object implements, as an object of Java's own. The proxy of a Python object goes home as that object;
 * this one is passed by reference, so that Python can call the default methods of its interfaces.
 */
public final class Implementation {
    private Implementation() {}

    /** Returns an object that does what a proxy does; another object as it is. */
    public static Object of(Object object) {
        if (object == null || !Proxy.isProxyClass(object.getClass())) {
            return object;
        }
        Class<?> type = object.getClass();
        InvocationHandler handler = Proxy.getInvocationHandler(object);
        return Proxy.newProxyInstance(type.getClassLoader(), type.getInterfaces(),
            new InvocationHandler() {
                @Override
                public Object invoke(Object proxy, Method method, Object[] arguments)
                    throws Throwable {
                    boolean same = method.getDeclaringClass() == Object.class && arguments != null
                        && arguments[0] == proxy;
                    return same ? true : handler.invoke(object, method, arguments);
                }
            });
    }
}
