package io.samewire.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Limits are at least 1, and each can be set alone. */
class LimitsTest {
    private static final Limits LIMITS = new Limits(1, 2, 3, 4, 5, 6);

    @Test
    void setsEachLimitAlone() {
        assertEquals(new Limits(9, 2, 3, 4, 5, 6), LIMITS.withDepth(9));
        assertEquals(new Limits(1, 9, 3, 4, 5, 6), LIMITS.withFrameBytes(9));
        assertEquals(new Limits(1, 2, 9, 4, 5, 6), LIMITS.withTextBytes(9));
        assertEquals(new Limits(1, 2, 3, 9, 5, 6), LIMITS.withItems(9));
        assertEquals(new Limits(1, 2, 3, 4, 9, 6), LIMITS.withCells(9));
        assertEquals(new Limits(1, 2, 3, 4, 5, 9), LIMITS.withBufferedBytes(9));
    }

    @Test
    void rejectsLimitsBelowOne() {
        for (IntFunction<Limits> with : List.<IntFunction<Limits>>of(LIMITS::withDepth, LIMITS::withFrameBytes,
            LIMITS::withTextBytes, LIMITS::withItems, LIMITS::withCells, LIMITS::withBufferedBytes)) {
            for (int below : new int[] {0, -1}) {
                assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> with.apply(below)).code());
            }
        }
    }
}
