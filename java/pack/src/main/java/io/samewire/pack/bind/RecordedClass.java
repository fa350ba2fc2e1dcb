package io.samewire.pack.bind;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The methods of a program, recorded to be interpreted where no class can be defined. */
final class RecordedClass extends ClassVisitor {
    final String self;
    final List<Object> constants;
    final Linker linker;
    private final Map<String, RecordedMethod> methods = new HashMap<>();

    /** {@code constants} are what the fields {@code k0}, {@code k1}... of the class {@code self} hold. */
    RecordedClass(String self, List<Object> constants, Linker linker) {
        super(Opcodes.ASM9);
        this.self = self;
        this.constants = constants;
        this.linker = linker;
    }

    @Override
    public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
        return null;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
        String[] exceptions) {
        RecordedMethod made = new RecordedMethod(this, descriptor, (access & Opcodes.ACC_STATIC) == 0);
        methods.put(name, made);
        return made;
    }

    /** The method of a name: a name has one method. */
    RecordedMethod method(String name) {
        return methods.get(name);
    }

    /** Puts the methods in the place of their names. */
    void link() {
        methods.values().forEach(RecordedMethod::link);
    }
}
