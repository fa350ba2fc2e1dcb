package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import org.junit.jupiter.api.Test;

/** A row of numbers inside an {@code any} is its kind and its numbers. */
class NumericArrayTest {
    @Test
    void equalsTheSameNumbersOfItsKindAlone() {
        NumericArray unsigned = NumericArray.u16(new short[] {-1, 2});
        assertEquals(NumericArray.u16(new short[] {-1, 2}), unsigned);
        assertEquals(NumericArray.u16(new short[] {-1, 2}).hashCode(), unsigned.hashCode());
        assertNotEquals(NumericArray.u16(new short[] {-1, 3}), unsigned);
        assertNotEquals(NumericArray.ofSigned(new short[] {-1, 2}), unsigned);
    }

    @Test
    void holdsAnArrayOfItsKind() {
        Object[] arrays = {new byte[1], new short[1], new int[1], new long[1], new float[1], new double[1],
            new Object[1]};
        for (NumericArray.Kind kind : NumericArray.Kind.values()) {
            for (Object array : arrays) {
                if (array.getClass() == kind.array()) {
                    assertEquals(array, new NumericArray(kind, array).values());
                } else {
                    SamewireException error = assertThrows(SamewireException.class, () ->
                        new NumericArray(kind, array));
                    assertEquals(Code.MISUSE, error.code());
                }
            }
        }
    }
}
