package io.samewire.bridge;

import io.samewire.bridge.invoke.ClassNames;
import io.samewire.bridge.operations.ArrayElements;
import io.samewire.bridge.operations.Brief;
import io.samewire.bridge.operations.Chunks;
import io.samewire.bridge.operations.Equality;
import io.samewire.bridge.operations.Implementation;
import io.samewire.bridge.operations.Lookups;
import io.samewire.bridge.operations.PackageNames;
import io.samewire.bridge.operations.PythonTimes;
import io.samewire.bridge.operations.Slices;
import io.samewire.bridge.operations.StackText;
import io.samewire.bridge.session.ByReference;
import io.samewire.bridge.session.Channel;
import io.samewire.bridge.session.PeerObject;
import io.samewire.bridge.session.Session;
import io.samewire.bridge.value.Conversion;
import io.samewire.bridge.value.Target;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The gateway's own operations ({@code spec/bridge.md} section 5.3), which proxies of objects and containers need
 * beside calls of their methods. Clients call these static methods like any others. Java programs do not use them.
 *
 * <p>Slices are given as Python's {@code slice.indices} returns them.
 */
public final class Operations {
    private Operations() {}

    private static Session session() {
        Channel channel = Channel.current();
        if (channel == null) {
            throw new SamewireException(Code.MISUSE, -1, null, "only a client of a gateway calls this");
        }
        return channel.session();
    }

    private static Lookups lookups() {
        return new Lookups(session().policy());
    }

    /** Returns its argument, so that a client can request it as another kind of result. */
    public static Object value(Object object) {
        return object;
    }

    /**
     * Converts a value to a type, like an argument for a parameter of that type.
     *
     * @throws SamewireException {@code type_mismatch} if it does not fit
     */
    public static Object cast(Object value, String type) {
        return Conversion.convert(value, Target.of(classOf(type)));
    }

    /**
     * Converts a time to one of Python's classes, to the microsecond.
     *
     * @param kind {@code datetime}, {@code time} or {@code timedelta}
     * @throws SamewireException {@code type_mismatch} if the value is not such a time
     */
    public static Object pythonTime(Object value, String kind) {
        return PythonTimes.of(value, kind);
    }

    /** Returns the gateway's entry point, or null. */
    public static Object entryPoint() {
        return session().entryPoint();
    }

    /** Returns counts of the session and the JVM. */
    public static Map<String, Object> statistics() {
        Session session = session();
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("exported", session.references().exported());
        found.put("imported", session.references().imported());
        found.put("memory_used", Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        found.put("memory_total", Runtime.getRuntime().totalMemory());
        found.put("memory_most", Runtime.getRuntime().maxMemory());
        found.put("threads", Thread.activeCount());
        return found;
    }

    // Lists.

    /** Returns a new list of the elements of a slice. */
    public static List<Object> slice(List<?> list, int from, int to, int step) {
        return Slices.get(list, from, to, step);
    }

    /** Replaces the elements from an index to another by others, of any number. */
    public static void setSlice(List<Object> list, int from, int to, Collection<?> values) {
        Slices.set(list, from, to, values);
    }

    /** Replaces the elements of a slice by as many others. */
    public static void setStep(List<Object> list, int from, int step, Collection<?> values) {
        Slices.setStep(list, from, step, values);
    }

    /** Removes the elements of a slice. */
    public static void deleteSlice(List<?> list, int from, int to, int step) {
        Slices.delete(list, from, to, step);
    }

    /** Returns an element; a negative index counts from the end. */
    public static Object get(List<?> list, int index) {
        return list.get(ArrayElements.index(index, list.size()));
    }

    /** Replaces an element; a negative index counts from the end. */
    public static void set(List<Object> list, int index, Object value) {
        list.set(ArrayElements.index(index, list.size()), value);
    }

    /** Removes an element and returns it; a negative index counts from the end. */
    public static Object remove(List<?> list, int index) {
        return list.remove(ArrayElements.index(index, list.size()));
    }

    /** Returns a new list of the elements of both. */
    public static List<Object> concat(List<?> list, Iterable<?> more) {
        List<Object> made = new ArrayList<>(list);
        for (Object one : more) {
            made.add(one);
        }
        return made;
    }

    /** Returns a new list of the elements, so many times. */
    public static List<Object> repeat(List<?> list, int times) {
        List<Object> made = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            made.addAll(list);
        }
        return made;
    }

    /** Sorts a list by a comparator, or by its elements' own order; equal ones keep theirs, reversed or not. */
    public static void sort(List<Object> list, Comparator<Object> comparator, boolean reverse) {
        Comparator<Object> order = comparator == null ? Equality::compare : comparator;
        list.sort(reverse ? Collections.reverseOrder(order) : order);
    }

    /** Returns whether a collection, iterable or array has an element, or a map a key. */
    public static boolean contains(Object container, Object wanted) {
        return Equality.contains(container, wanted);
    }

    /** Returns the index of the first element of a list that equals one; -1 if there is none. */
    public static int indexOf(List<?> list, Object wanted) {
        return Lookups.indexOf(list, wanted);
    }

    /** Adds an element to a set, unless it has an equal one. Returns whether it was added. */
    public static boolean setAdd(Collection<Object> set, Object value) {
        return lookups().add(set, value);
    }

    /** Adds the missing elements to a set. */
    public static void setAddAll(Collection<Object> set, Iterable<?> values) {
        lookups().addAll(set, values);
    }

    /** Removes an element of a set, or the first equal one of a list. Returns whether there was one. */
    public static boolean collectionRemove(Collection<?> elements, Object wanted) {
        return lookups().remove(elements, wanted);
    }

    /** Returns whether a map has a key. */
    public static boolean mapHas(Map<?, ?> map, Object key) {
        return lookups().hasKey(map, key);
    }

    /** Returns the value of a key, or null. */
    public static Object mapGet(Map<?, ?> map, Object key) {
        return lookups().get(map, key);
    }

    /** Sets the value of a key: of an equal key of the map, if there is one. */
    public static void mapPut(Map<Object, Object> map, Object key, Object value) {
        lookups().put(map, key, value);
    }

    /** Sets the values of all keys of another map. */
    public static void mapPutAll(Map<Object, Object> map, Map<?, ?> more) {
        lookups().putAll(map, more);
    }

    /** Removes a key and returns its value, or null. */
    public static Object mapRemove(Map<?, ?> map, Object key) {
        return lookups().removeKey(map, key);
    }

    /** Returns at most so many next elements, and as the last item null, or the iterator for the next call. */
    public static List<Object> chunk(Object source, int most) {
        return Chunks.next(source, most, session().limits().frameBytes());
    }

    /**
     * Returns keys and values of at most so many next entries, and as the last item null, or the iterator for the next
     * call.
     */
    public static List<Object> entries(Object source, int most) {
        return Chunks.entries(source, most, session().limits().frameBytes());
    }

    // Arrays.

    /**
     * Returns a new array of the component's class or name, with so many elements in each dimension. The total is
     * limited like the bytes of a large value, since a client requests it with a few bytes.
     */
    public static Object newArray(Object component, int[] lengths) {
        Class<?> type = component instanceof Class ? (Class<?>) component : classOf((String) component);
        if (type == void.class || lengths.length < 1 || lengths.length > 255) {
            throw new SamewireException(Code.MISUSE, -1, null, "an array has 1 to 255 dimensions, and not of void");
        }
        session().policy().check(type);
        long elements = 1;
        for (int length : lengths) {
            if (length < 0) {
                throw new NegativeArraySizeException(String.valueOf(length));
            }
            elements = Math.multiplyExact(elements, (long) length);
            if (elements > session().blobBytes()) {
                throw new SamewireException(Code.LIMIT_SIZE, -1, null, "an array of " + Arrays.toString(lengths)
                    + " elements: " + session().blobBytes() + " together are allowed: make"
                    + " it smaller, or raise GatewayBuilder.blobBytes (limits.blob_bytes)");
            }
        }
        return Array.newInstance(type, lengths);
    }

    /** Returns the length of an array. */
    public static int arrayLength(Object array) {
        return Array.getLength(array);
    }

    /** Returns an element; a negative index counts from the end. */
    public static Object arrayGet(Object array, int index) {
        return Array.get(array, ArrayElements.index(index, Array.getLength(array)));
    }

    /** Replaces an element by a value that is converted; a negative index counts from the end. */
    public static void arraySet(Object array, int index, Object value) {
        ArrayElements.set(array, index, value);
    }

    /** Returns a new array of the elements of a slice. */
    public static Object arraySlice(Object array, int from, int to, int step) {
        return ArrayElements.slice(array, from, to, step);
    }

    /** Returns the elements from an index to another; fewer, but at least one, if they are large. */
    public static List<Object> arrayList(Object array, int from, int to) {
        return Chunks.ofArray(array, from, to, session().limits().frameBytes());
    }

    /** Replaces elements by those of a collection or array, from an index on, by a step. */
    public static void arraySetSlice(Object array, int from, int step, Object values) {
        ArrayElements.setSlice(array, from, step, values);
    }

    /** Returns the bytes of an array of a primitive type, little-endian. */
    public static byte[] arrayBytes(Object array) {
        return ArrayElements.bytes(array);
    }

    // Objects.

    /** Returns the text of an object. */
    public static String text(Object object) {
        return String.valueOf(object);
    }

    /** Returns the text of an object, cut to so many characters, at no more cost than that. */
    public static String brief(Object object, int most) {
        return Brief.of(object, most);
    }

    /** Returns whether two objects are equal, numbers of different types too. */
    public static boolean equal(Object one, Object other) {
        return Equality.equal(one, other);
    }

    /** Returns the hash of an object. */
    public static int hash(Object object) {
        return Equality.hash(object);
    }

    /** Returns whether an object is before another (negative), after it (positive), or neither. */
    public static int compare(Object one, Object other) {
        return Equality.compare(one, other);
    }

    /** Returns a client's object as a Java object, on which default methods of its interfaces can be called. */
    public static Object implement(Object object) {
        return Implementation.of(object);
    }

    /** Returns an exception's stack and causes as Java prints them, without the gateway's frames. */
    public static String programTrace(Throwable exception) {
        return StackText.of(exception);
    }

    /** Returns an exception's stack and causes, as Java prints them. */
    public static String stackTrace(Throwable exception) {
        StringWriter text = new StringWriter();
        exception.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /**
     * Returns a client's exception as a Java exception, by reference.
     *
     * @param raised the client's object
     * @param type the name of its class
     * @param text its text, or null
     * @param trace its traceback, as Python prints it
     * @param cause null if there is none
     */
    public static Object exception(PythonObject raised, String type, String text, String trace, Throwable cause) {
        PeerObject object = session().references().peerObject(raised);
        return new ByReference(new PythonException(object, type, text, trace, cause));
    }

    /** Sets the cause of an exception, unless it has one, or the cause is the exception itself. */
    public static void giveCause(Throwable exception, Throwable cause) {
        for (Throwable one = cause; one != null; one = one.getCause()) {
            if (one == exception) {
                return;
            }
        }
        if (exception.getCause() == null) {
            try {
                exception.initCause(cause);
            } catch (IllegalStateException decided) {
                // It was made with a cause of null.
                exception.addSuppressed(cause);
            }
        }
    }

    // Classes.

    /**
     * Returns a class by its name, also {@code int}, {@code void} and arrays ({@code int[]}).
     *
     * @throws SamewireException {@code misuse} if there is none
     */
    public static Class<?> classOf(String name) {
        String source = name.startsWith("[") ? elementName(name) : name;
        return ClassNames.find(session(), source);
    }

    /**
     * Converts the component in the name of an array class ({@code [[Ljava.lang.String;}, {@code [I}) to its form in
     * source.
     */
    private static String elementName(String name) {
        int depth = name.lastIndexOf('[') + 1;
        String leaf = name.substring(depth);
        int primitive = leaf.length() == 1 ? "ZBCSIJFD".indexOf(leaf) : -1;
        String[] primitives = {"boolean", "byte", "char", "short", "int", "long", "float", "double"};
        String element = primitive >= 0 ? primitives[primitive]
            : leaf.startsWith("L") && leaf.endsWith(";") ? leaf.substring(1, leaf.length() - 1) : leaf;
        return element + "[]".repeat(depth);
    }

    /** Returns the simple names of the classes of a package and of the packages below it. */
    public static List<String> names(String packageName) {
        return PackageNames.of(packageName, session().policy());
    }
}
