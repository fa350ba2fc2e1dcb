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
import org.objectweb.asm.Type;

/** Members of a union that metadata or an annotation names wrongly. Each metadata says "sealed" and one name. */
final class SubclassesTest {
    private static final String SEALED = "\0\0\10\60\202\1\1\0";

    record Stranger(int year) {}

    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = SEALED, d2 = "io/samewire/pack/bind/SubclassesTest.Stranger")
    interface Shape {}

    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = SEALED, d2 = "io/samewire/pack/bind/SubclassesTest.Endless")
    interface Endless {}

    @kotlin.Metadata(mv = {2, 0, 0}, k = 1, d1 = SEALED, d2 = "absent/Gone")
    interface Lacking {}

    /** On a file system that ignores case, the class loader finds a file of another class. */
    static final class Misnamed extends ClassLoader {
        private Class<?> shape;

        Misnamed() {
            super(SubclassesTest.class.getClassLoader());
        }

        Class<?> made() {
            ClassWriter made = new ClassWriter(0);
            made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT, "apart/Shape",
                null, "java/lang/Object", null);
            AnnotationVisitor metadata = made.visitAnnotation("Lkotlin/Metadata;", true);
            metadata.visit("mv", new int[] {2, 0, 0});
            metadata.visit("k", 1);
            for (String[] element : new String[][] {{"d1", SEALED}, {"d2", "apart/SHAPE"}}) {
                AnnotationVisitor texts = metadata.visitArray(element[0]);
                texts.visit(null, element[1]);
                texts.visitEnd();
            }
            metadata.visitEnd();
            byte[] data = made.toByteArray();
            shape = defineClass("apart.Shape", data, 0, data.length);
            return shape;
        }

        @Override
        protected Class<?> findClass(String name) {
            throw new NoClassDefFoundError(name + " (wrong name: apart/Shape)");
        }
    }

    private static String refused(Class<?> type) {
        SamewireException error = assertThrows(SamewireException.class, () -> Pack.codec(type));
        assertEquals(Code.MISUSE, error.code());
        return error.getMessage();
    }

    @Test
    void rejectsSubclassThatDoesNotExtend() {
        String text = refused(Shape.class);
        assertTrue(text.contains("Stranger in the Kotlin metadata of") && text.contains("does not extend it"), text);
        text = refused(Endless.class);
        assertTrue(text.contains("does not extend it"), text);
    }

    @Test
    void rejectsSubclassThatCannotBeLoaded() {
        String text = refused(Lacking.class);
        assertTrue(text.contains("its subclass absent.Gone cannot be loaded"), text);
        text = refused(new Misnamed().made());
        assertTrue(text.contains("its subclass apart.SHAPE cannot be loaded"), text);
    }

    @Test
    void rejectsMemberThatIsAbsent() throws IllegalAccessException {
        ClassWriter made = new ClassWriter(0);
        made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT,
            "io/samewire/pack/bind/Absentee", null, "java/lang/Object", null);
        AnnotationVisitor annotation = made.visitAnnotation("Lio/samewire/pack/Members;", true);
        AnnotationVisitor members = annotation.visitArray("value");
        members.visit(null, Type.getObjectType("absent/Gone"));
        members.visitEnd();
        annotation.visitEnd();
        made.visitEnd();
        String text = refused(MethodHandles.lookup().defineClass(made.toByteArray()));
        assertTrue(text.contains("a class in the @Members of io.samewire.pack.bind.Absentee is not on the class path"),
            text);
    }
}
