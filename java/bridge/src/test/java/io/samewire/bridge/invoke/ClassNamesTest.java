package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names of classes that clients ask for. */
class ClassNamesTest {
    private final Caller caller = new Caller();
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final Counting loader = new Counting();

    /** Counts the names that it is asked for: it keeps a lock for each, as every loader that serves threads at once. */
    private static final class Counting extends ClassLoader {
        private int asked;

        Counting() {
            super(ClassNamesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked++;
            return super.loadClass(name, resolve);
        }
    }

    @BeforeEach
    void set() {
        Thread.currentThread().setContextClassLoader(loader);
    }

    @AfterEach
    void unset() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private Class<?> named(String name) {
        return ClassNames.named(caller.session, name);
    }

    @Test
    void namesOfNoClassDoNotFillALoader() {
        assertNull(named("no.such.First"));
        for (int i = 0; i < ClassNames.MOST_ABSENT; i++) {
            assertNull(named("no.such.Class" + i));
        }
        int asked = loader.asked;
        assertTrue(asked <= ClassNames.MOST_ABSENT + 1, asked + " names");
        for (int i = 0; i < 1000; i++) {
            assertNull(named("no.such.Other" + i));
            assertNull(named("no.such." + "x".repeat(1000) + i));
        }
        assertEquals(asked, loader.asked);
        // One that was asked for may have come since.
        assertNull(named("no.such.First"));
        assertEquals(asked + 1, loader.asked);
        assertSame(TreeMap.class, named("java.util.TreeMap"));
        assertSame(ClassNamesTest.class, named(ClassNamesTest.class.getName()));
        assertSame(Counting.class, named(Counting.class.getName()));
    }
}
