package io.samewire.pack.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Pack;
import org.junit.jupiter.api.Test;

/** Metadata that no compiler of today writes; {@code KotlinTypesTest} has that of real ones. */
final class KotlinMetadataTest {
    @kotlin.Metadata(mv = {3, 0, 0}, k = 1, d1 = "\0", d2 = {})
    record Newer(int year) {}

    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = "\0\5", d2 = {})
    record CutOff(int year) {}

    /** A constructor with a parameter whose name is string 7 of none. */
    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = "\0\0\102\4\22\2\20\7", d2 = {})
    record NoString(int year) {}

    private static SamewireException refused(Class<?> type) {
        return assertThrows(SamewireException.class, () -> Pack.codec(type));
    }

    @Test
    void laterMajorVersionIsUnsupported() {
        SamewireException error = refused(Newer.class);
        assertEquals(Code.UNSUPPORTED, error.code());
        assertTrue(error.getMessage().contains("Kotlin metadata of version [3, 0, 0]"), error.getMessage());
    }

    @Test
    void damagedMetadataIsUnsupported() {
        for (Class<?> type : new Class<?>[] {CutOff.class, NoString.class}) {
            SamewireException error = refused(type);
            assertEquals(Code.UNSUPPORTED, error.code());
            assertTrue(error.getMessage().contains("cannot be read"), error.getMessage());
        }
    }
}
