package io.samewire.pack.bind;

import io.samewire.pack.wire.Program;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.Writer;
import java.util.Set;

/**
 * A program that is not compiled but interpreted, where no class can be defined. It is recorded from the same
 * generator, so that it calls the same methods in the same order: same bytes, same errors.
 */
final class InterpretedProgram extends Program {
    private final RecordedMethod write;
    private final RecordedMethod read;
    private final Linker linker;

    InterpretedProgram(RecordedClass recorded) {
        recorded.link();
        this.write = recorded.method("write");
        this.read = recorded.method("read");
        this.linker = recorded.linker;
    }

    /** The names of the classes that it uses by reflection. */
    Set<String> resolved() {
        return linker.resolved();
    }

    @Override
    public void write(Writer out, Object value) {
        run(write, out, value);
    }

    @Override
    public Object read(Reader in) {
        return run(read, in, null);
    }

    /** Runs an entry: its locals are the program, which it does not use, and its arguments. */
    private static Object run(RecordedMethod entry, Object first, Object second) {
        Frame frame = new Frame(Math.max(entry.frameSize(), 3));
        frame.objects[1] = first;
        frame.objects[2] = second;
        try {
            Interpreter.run(entry, frame);
        } catch (Throwable thrown) {
            throw InterpretedProgram.<RuntimeException>unchanged(thrown);
        }
        return frame.objects[0];
    }

    /** Throws what a value's own code threw as it is, checked or not, as compiled code does. */
    @SuppressWarnings("unchecked") // Erased: nothing is cast.
    private static <E extends Throwable> E unchanged(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
