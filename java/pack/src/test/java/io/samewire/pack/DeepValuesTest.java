package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Values deeper than a stack, where the limit on depth allows them: every step that runs out of stack fails with a
 * coded error.
 */
class DeepValuesTest {
    private static final int STACK = 1 << 19;

    record Chain(@Nullable Chain next, String name) {}

    private static final Codec<Chain> CODEC =
        Pack.builder(Chain.class).limits(Limits.DEFAULT.withDepth(Integer.MAX_VALUE)).build();

    /** Runs with a small stack, and holds what is thrown to be an error with one of these codes. */
    private static void refused(Set<Code> codes, int depth, Executable work) throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(null, () -> {
            try {
                work.execute();
            } catch (Throwable failure) {
                thrown[0] = failure;
            }
        }, "small", STACK);
        thread.start();
        thread.join();
        assertTrue(thrown[0] instanceof SamewireException error && codes.contains(error.code()),
            () -> depth + " deep: " + (thrown[0] == null ? "nothing" : thrown[0].getClass()));
    }

    @Test
    void wrongAtTheBottom() throws InterruptedException {
        // The generated code has stack for chains that the walkers have none for.
        for (int depth = 100; depth < 30_000; depth += depth / 4) {
            Chain chain = new Chain(null, null);
            for (int i = 0; i < depth; i++) {
                chain = new Chain(chain, "");
            }
            Chain value = chain;
            refused(EnumSet.of(Code.TYPE_MISMATCH, Code.LIMIT_DEPTH), depth, () -> CODEC.encode(value));
            // A header, the flags of each struct, and behind the innermost one the names, the first of which is not a
            // token.
            byte[] message = new byte[1 + 2 * (depth + 1)];
            Arrays.fill(message, 1, depth + 1, (byte) 1);
            message[0] = (byte) 0x80;
            message[depth + 2] = 0x7f;
            refused(EnumSet.of(Code.MALFORMED, Code.LIMIT_DEPTH), depth, () -> CODEC.decode(message));
        }
    }
}
