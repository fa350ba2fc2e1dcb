package io.samewire.pack.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.objectweb.asm.Opcodes;

/** Names that a recorded program cannot resolve, as those that a native image lacks. */
class LinkerTest {
    private final Linker linker = new Linker(MethodHandles.lookup());

    private static void refuses(String name, Executable link) {
        SamewireException error = assertThrows(SamewireException.class, link);
        assertEquals(Code.UNSUPPORTED, error.code());
        assertEquals(name + " cannot be reached by reflection: register its class with all its constructors, methods"
            + " and fields in the native image", error.text());
    }

    @Test
    void namesClassesThatAreNotThere() {
        refuses("no.such.Thing", () -> linker.type("no/such/Thing"));
    }

    @Test
    void namesMembersThatAreNotThere() {
        refuses("java.lang.String.none",
            () -> linker.method(Opcodes.INVOKEVIRTUAL, "java/lang/String", "none", "()I"));
        refuses("java.lang.String.field",
            () -> linker.field(Opcodes.GETSTATIC, "java/lang/String", "field", "I"));
    }
}
