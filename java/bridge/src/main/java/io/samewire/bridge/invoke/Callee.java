package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Thrown;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.function.BiFunction;

/**
 * The callee of a site, called by reflection, which needs no preparation: method handles would take milliseconds to
 * make. Hot sites get generated code instead ({@link HotCode}).
 */
abstract class Callee {
    /**
     * Calls it with converted arguments.
     *
     * @throws Thrown the exception of the program
     */
    abstract Object call(Object receiver, Object[] arguments) throws Thrown;

    /** Returns the member, for generated code; null if there is none. */
    Member member() {
        return null;
    }

    /** Wraps a program's exception. A checked exception that a proxy threw undeclared is unwrapped. */
    static Thrown thrown(Throwable what) {
        Throwable found = what instanceof UndeclaredThrowableException && what.getCause() != null ? what.getCause()
            : what;
        return new Thrown(found);
    }

    private static SamewireException refused(Exception why) {
        return new SamewireException(Code.TYPE_MISMATCH, -1, null, "the call is refused: " + why.getMessage(), why);
    }

    /** Returns the callee for a single call of a member. */
    static Callee of(Executable member) {
        return member instanceof Method ? new OfMethod((Method) member) : new OfConstructor((Constructor<?>) member);
    }

    /** Returns the callee for repeated calls of a member. */
    static Callee ofSite(Executable member) {
        return member instanceof Method && DirectCode.suits((Method) member) ? new OfJdkMethod((Method) member)
            : of(member);
    }

    /** A method of the JDK, whose first call by reflection is slow ({@link DirectCode}). */
    private static final class OfJdkMethod extends OfMethod {
        private boolean asked;
        private BiFunction<Object, Object[], Object> direct;

        OfJdkMethod(Method method) {
            super(method);
        }

        @Override
        Object call(Object receiver, Object[] arguments) throws Thrown {
            BiFunction<Object, Object[], Object> code = code();
            if (code == null || !DirectCode.fits(member(), receiver, arguments)) {
                return super.call(receiver, arguments);
            }
            try {
                return code.apply(receiver, arguments);
            } catch (Throwable what) {
                throw thrown(what);
            }
        }

        private synchronized BiFunction<Object, Object[], Object> code() {
            if (!asked) {
                asked = true;
                direct = DirectCode.of(member());
            }
            return direct;
        }
    }

    private static class OfMethod extends Callee {
        private final Method method;

        OfMethod(Method method) {
            this.method = method;
        }

        @Override
        Method member() {
            return method;
        }

        @Override
        Object call(Object receiver, Object[] arguments) throws Thrown {
            try {
                return MethodCaller.ofProgram().call(method, receiver, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown(thrown.getCause());
            } catch (IllegalAccessException | IllegalArgumentException refused) {
                throw refused(refused);
            } catch (ExceptionInInitializerError failed) {
                throw thrown(failed);
            }
        }
    }

    private static final class OfConstructor extends Callee {
        private final Constructor<?> constructor;

        OfConstructor(Constructor<?> constructor) {
            this.constructor = constructor;
        }

        @Override
        Constructor<?> member() {
            return constructor;
        }

        @Override
        Object call(Object receiver, Object[] arguments) throws Thrown {
            try {
                return constructor.newInstance(arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown(thrown.getCause());
            } catch (IllegalAccessException | IllegalArgumentException | InstantiationException refused) {
                throw refused(refused);
            } catch (ExceptionInInitializerError failed) {
                throw thrown(failed);
            }
        }
    }

    /** Reads a field. */
    static final class Get extends Callee {
        private final Field field;

        Get(Field field) {
            this.field = field;
        }

        @Override
        Field member() {
            return field;
        }

        @Override
        Object call(Object receiver, Object[] arguments) throws Thrown {
            try {
                return field.get(receiver);
            } catch (IllegalAccessException refused) {
                throw refused(refused);
            } catch (ExceptionInInitializerError failed) {
                throw thrown(failed);
            }
        }
    }

    /** Writes a field. */
    static final class Set extends Callee {
        private final Field field;

        Set(Field field) {
            this.field = field;
        }

        @Override
        Object call(Object receiver, Object[] arguments) throws Thrown {
            try {
                field.set(receiver, arguments[0]);
                return null;
            } catch (IllegalAccessException refused) {
                throw refused(refused);
            } catch (ExceptionInInitializerError failed) {
                throw thrown(failed);
            }
        }
    }

    /** {@code length} of arrays. */
    static final class Length extends Callee {
        @Override
        Object call(Object receiver, Object[] arguments) {
            return Array.getLength(receiver);
        }
    }

    /** {@code clone} of arrays. */
    static final class Clone extends Callee {
        @Override
        Object call(Object receiver, Object[] arguments) {
            int length = Array.getLength(receiver);
            Object copy = Array.newInstance(receiver.getClass().getComponentType(), length);
            System.arraycopy(receiver, 0, copy, 0, length);
            return copy;
        }
    }
}
