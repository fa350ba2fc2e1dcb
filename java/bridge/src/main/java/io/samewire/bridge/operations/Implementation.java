package io.samewire.bridge.operations;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A Java object with the interfaces of a Python object. The proxy of a Python object crosses as that object; this one
 * crosses by reference, so that Python can call the default methods of its interfaces.
 */
public final class Implementation {
    private Implementation() {}

    /** Returns an object that delegates to a proxy; other objects unchanged. */
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
