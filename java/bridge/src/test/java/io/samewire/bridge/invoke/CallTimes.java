package io.samewire.bridge.invoke;

import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Limits;
import java.lang.management.ManagementFactory;

/** Measures what a call costs on Java's side without any transport: {@code java CallTimes}. */
public final class CallTimes {
    private static int calls;

    private CallTimes() {}

    /** Takes nothing. */
    public static void args0() {
        calls++;
    }

    /** Takes a number. */
    public static int args1(int a) {
        return a + 1;
    }

    /** Takes what the lab's eight arguments are. */
    public static int args8(int a, long b, double c, String d, boolean e, byte[] f, int g, String h) {
        return a + (int) b + (int) c + d.length() + (e ? 1 : 0) + f.length + g + h.length();
    }

    /** Takes an array. */
    public static int ints(int[] values) {
        return values.length;
    }

    /** Measures each call. */
    public static void main(String[] options) throws Throwable {
        Caller caller = new Caller();
        measure(caller, "args0");
        measure(caller, "args1", Caller.i32(1));
        measure(caller, "args8", Caller.i32(1), Caller.i64(2L << 40), Caller.f64(0.5), Caller.text("some text"),
            Caller.bool(true), Caller.of("bytes", out -> out.bytes(new byte[32])), Caller.i32(7),
            Caller.text("another"));
        measure(caller, "ints", Caller.ints("list<i32>", new int[1000]));
    }

    /** The time of this thread: other programs may have the processor meanwhile. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void measure(Caller caller, String member, Caller.Argument... arguments) throws Throwable {
        Invocation invocation = caller.resolve(Definition.STATIC, CallTimes.class.getName(), member, "", arguments);
        byte[] bytes = Caller.bytes(arguments);
        Input in = new Input(Limits.DEFAULT, 1 << 30);
        Output out = new Output(Limits.DEFAULT);
        for (int round = 0; round < 8; round++) {
            int times = round == 0 ? 300 : 1_000_000;
            long from = cpu();
            for (int i = 0; i < times; i++) {
                in.reset(bytes, 0, bytes.length, null);
                out.reset();
                invocation.invoke(caller.channel, in, out);
            }
            System.out.printf("%s round %d: %.1f ns%n", member, round, (cpu() - from) / (double) times);
        }
    }
}
