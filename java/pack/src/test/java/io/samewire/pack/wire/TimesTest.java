package io.samewire.pack.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

/** Days since 1970 as the JDK has them, of every date of the model. */
class TimesTest {
    @Test
    void daysAreThoseOfTheJdk() {
        LocalDate date = LocalDate.of(1, 1, 1);
        for (int day = Times.DATE_MIN; day <= Times.DATE_MAX; day++) {
            if (Times.days(date) != day) {
                assertEquals(date.toEpochDay(), Times.days(date), date::toString);
            }
            date = date.plusDays(1);
        }
        assertEquals(LocalDate.of(10_000, 1, 1), date);
    }

    @Test
    void rejectsDatesOutsideTheModel() {
        for (LocalDate date : new LocalDate[] {LocalDate.of(0, 12, 31), LocalDate.of(10_000, 1, 1), LocalDate.MIN,
            LocalDate.MAX}) {
            assertThrows(Fault.class, () -> Times.days(date));
        }
    }
}
