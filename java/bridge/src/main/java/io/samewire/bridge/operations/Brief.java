package io.samewire.bridge.operations;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/** Short texts of objects, whose cost does not depend on the size of containers. */
public final class Brief {
    private static final String CUT = "…";
    private static final int MOST_DEPTH = 4;

    private final StringBuilder text = new StringBuilder();
    private final int most;

    private Brief(int most) {
        this.most = most;
    }

    /** Returns the text of an object, cut to so many characters. */
    public static String of(Object object, int most) {
        Brief brief = new Brief(Math.max(1, most));
        brief.add(object, MOST_DEPTH);
        StringBuilder text = brief.text;
        if (text.length() > brief.most) {
            text.setLength(brief.most - 1);
            text.append(CUT);
        }
        return text.toString();
    }

    private boolean isFull() {
        return text.length() > most;
    }

    private void add(Object object, int depth) {
        if (depth == 0) {
            text.append(CUT);
        } else if (object instanceof Map && isOfJava(object)) {
            entries((Map<?, ?>) object, depth - 1);
        } else if (object instanceof Collection && isOfJava(object)) {
            elements(((Collection<?>) object).iterator(), depth - 1);
        } else if (object != null && object.getClass().isArray()) {
            array(object, depth - 1);
        } else {
            text.append(object);
        }
    }

    /** Whether a container is the JDK's: others may have a {@code toString} of their own. */
    private static boolean isOfJava(Object object) {
        return object.getClass().getName().startsWith("java.util.");
    }

    private void elements(Iterator<?> all, int depth) {
        text.append('[');
        for (boolean first = true; all.hasNext() && !isFull(); first = false) {
            text.append(first ? "" : ", ");
            add(all.next(), depth);
        }
        text.append(']');
    }

    private void entries(Map<?, ?> map, int depth) {
        text.append('{');
        boolean first = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (isFull()) {
                break;
            }
            text.append(first ? "" : ", ");
            add(entry.getKey(), depth);
            text.append('=');
            add(entry.getValue(), depth);
            first = false;
        }
        text.append('}');
    }

    private void array(Object array, int depth) {
        text.append('[');
        int length = Array.getLength(array);
        for (int i = 0; i < length && !isFull(); i++) {
            text.append(i == 0 ? "" : ", ");
            add(Array.get(array, i), depth);
        }
        text.append(']');
    }
}
