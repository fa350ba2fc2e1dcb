package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ExportsTest {
    private final Exports exports = new Exports();

    @Test
    void anObjectHasOneNumberAsLongAsItIsNeeded() {
        Object object = new Object();
        long number = exports.export(object);
        assertEquals(number, exports.export(object));
        assertSame(object, exports.get(number));
        assertTrue(exports.release(number, 1));
        assertSame(object, exports.get(number));
        assertTrue(exports.release(number, 1));
        assertNull(exports.get(number));
        assertNotEquals(number, exports.export(object));
    }

    @Test
    void equalObjectsAreNotTheSame() {
        assertNotEquals(exports.export(new StringBuilder()), exports.export(new StringBuilder()));
        assertNotEquals(exports.export(List.of(1)), exports.export(new ArrayList<>(List.of(1))));
    }

    @Test
    void moreThanWasSentIsNotTaken() {
        long number = exports.export(new Object());
        assertFalse(exports.release(number, 2));
        assertFalse(exports.release(number, 0));
        assertFalse(exports.release(number, -1));
        assertFalse(exports.release(number + 1, 1));
        assertTrue(exports.release(number, 1));
        assertFalse(exports.release(number, 1));
    }

    @Test
    void itIsWhatAMapWouldBe() {
        Random random = new Random(5);
        Map<Long, Object> expected = new HashMap<>();
        Map<Long, Integer> counts = new HashMap<>();
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            // Long phases of growth and of decline, so that both tables are resized.
            if (numbers.isEmpty() || random.nextInt(100) < (i / 20_000 % 2 == 0 ? 70 : 30)) {
                boolean again = !numbers.isEmpty() && random.nextInt(4) == 0;
                Object object = again ? expected.get(numbers.get(random.nextInt(numbers.size()))) : new Object();
                long number = exports.export(object);
                if (expected.put(number, object) == null) {
                    numbers.add(number);
                }
                counts.merge(number, 1, Integer::sum);
            } else {
                int index = random.nextInt(numbers.size());
                long number = numbers.get(index);
                int count = 1 + random.nextInt(counts.get(number));
                assertTrue(exports.release(number, count));
                if (counts.merge(number, -count, Integer::sum) == 0) {
                    counts.remove(number);
                    expected.remove(number);
                    numbers.set(index, numbers.get(numbers.size() - 1));
                    numbers.remove(numbers.size() - 1);
                    assertNull(exports.get(number));
                }
            }
            assertEquals(expected.size(), exports.size());
        }
        expected.forEach((number, object) -> assertSame(object, exports.get(number)));
    }

    @Test
    void aNumberIsFoundWhileOthersComeAndGo() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        Object[] lasting = new Object[500];
        long[] numbers = new long[lasting.length];
        for (int i = 0; i < lasting.length; i++) {
            lasting[i] = new Object();
            numbers[i] = exports.export(lasting[i]);
        }
        for (int t = 0; t < 4; t++) {
            Random random = new Random(t);
            threads.add(new Thread(() -> {
                try {
                    List<Long> own = new ArrayList<>();
                    for (int i = 0; i < 200_000; i++) {
                        int index = random.nextInt(lasting.length);
                        assertSame(lasting[index], exports.get(numbers[index]));
                        if (own.size() > random.nextInt(300)) {
                            assertTrue(exports.release(own.remove(random.nextInt(own.size())), 1));
                        } else {
                            own.add(exports.export(new Object()));
                        }
                    }
                    own.forEach(number -> assertTrue(exports.release(number, 1)));
                } catch (Throwable error) {
                    failure.set(error);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertNull(failure.get());
        assertEquals(lasting.length, exports.size());
    }
}
