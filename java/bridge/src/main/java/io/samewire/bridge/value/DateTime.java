package io.samewire.bridge.value;

import io.samewire.pack.Tuple;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;

/** A {@code LocalDateTime} as pack writes it: {@code tuple<date, time>}. */
@Tuple
record DateTime(LocalDate date, LocalTime time) {
    static DateTime of(LocalDateTime value) {
        return new DateTime(value.toLocalDate(), value.toLocalTime());
    }

    LocalDateTime value() {
        return LocalDateTime.of(date, time);
    }
}
