package io.samewire.pack.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Pack;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Metadata that no compiler of today writes; {@code KotlinTypesTest} has that of real ones. */
final class KotlinMetadataTest {
    @kotlin.Metadata(mv = {3, 0, 0}, k = 1, d1 = "\0", d2 = {})
    record Newer(int year) {}

    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = "\0\5", d2 = {})
    record CutOff(int year) {}

    /** A constructor with a parameter whose name is string 7 of none. */
    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = "\0\0\102\4\22\2\20\7", d2 = {})
    record NoString(int year) {}

    /** A constructor with a parameter without a name. */
    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = "\0\0\102\4\22\2\10\0", d2 = {})
    record NoName(int year) {}

    /** A property without a name. */
    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = "\0\0\122\2\10\0", d2 = {})
    record NoProperty(int year) {}

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
        for (Class<?> type : new Class<?>[] {CutOff.class, NoString.class, NoName.class, NoProperty.class}) {
            SamewireException error = refused(type);
            assertEquals(Code.UNSUPPORTED, error.code());
            assertTrue(error.getMessage().contains("cannot be read"), error.getMessage());
        }
    }

    /** Each of 40 types has the next one as its argument twice, which makes 2^40 types of 400 bytes. */
    @Test
    void typesThatMultiplyAreUnsupported() throws IllegalAccessException {
        StringBuilder table = new StringBuilder();
        for (char next = 1; next < 40; next++) {
            table.append("\12\10\22\2\30").append(next).append("\22\2\30").append(next);
        }
        table.append("\12\0");
        int length = table.length();
        String data = "\0\0\102\6\22\4\20\0\50\0\362\1" + (char) (length & 127 | 128) + (char) (length >> 7) + table;
        SamewireException error = refused(withMetadata(data, "year"));
        assertEquals(Code.UNSUPPORTED, error.code());
        assertTrue(error.getMessage().contains("cannot be read"), error.getMessage());
    }

    private static Class<?> withMetadata(String data, String name) throws IllegalAccessException {
        ClassWriter made = new ClassWriter(0);
        made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "io/samewire/pack/bind/Multiplied", null, "java/lang/Object", null);
        made.visitField(Opcodes.ACC_PUBLIC, name, "I", null, null).visitEnd();
        AnnotationVisitor metadata = made.visitAnnotation("Lkotlin/Metadata;", true);
        metadata.visit("mv", new int[] {2, 0, 0});
        metadata.visit("k", 1);
        AnnotationVisitor texts = metadata.visitArray("d1");
        texts.visit(null, data);
        texts.visitEnd();
        texts = metadata.visitArray("d2");
        texts.visit(null, name);
        texts.visitEnd();
        metadata.visitEnd();
        made.visitEnd();
        return MethodHandles.lookup().defineClass(made.toByteArray());
    }
}
