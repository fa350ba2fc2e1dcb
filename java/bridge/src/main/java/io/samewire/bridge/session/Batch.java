package io.samewire.bridge.session;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/** Calls that come in one message and are run in order ({@code spec/bridge.md} section 7). */
final class Batch {
    /** The bytes of a reply that only reports that the actual reply did not fit. */
    private static final int LEAST_REPLY = 96;
    /**
     * The most exceptions that are kept for later calls of a batch, which may take the results of those that threw. A
     * call takes 11 bytes of the client's frame, and its exception a kilobyte: a batch of 8 MB took 700 MB.
     */
    private static final int MOST_THROWN = 4_096;

    private final Channel channel;
    private final Input in;
    private Object[] results;
    private Throwable[] thrown;
    private int done;
    private int kept;
    /** Stands for all further exceptions. */
    private SamewireException unkept;

    Batch(Channel channel, Input in) {
        this.channel = channel;
        this.in = in;
    }

    /** Runs the calls, and writes all replies. */
    void run(Output out) {
        in.source(null);
        int at = in.at();
        int count = in.count();
        int frameBytes = channel.session().limits().frameBytes();
        if (count > channel.session().limits().items() || (long) count * LEAST_REPLY > frameBytes) {
            throw new SamewireException(Code.LIMIT_ITEMS, at, null, "a batch of " + count
                + " calls exceeds limits.items, " + channel.session().limits().items()
                + ", or its replies limits.frame_bytes, " + frameBytes
                + ": send fewer at once, or raise the limits");
        }
        results = new Object[count];
        thrown = new Throwable[count];
        out.begin(Messages.BATCH_RETURN);
        out.varint(count);
        int most = out.message() + frameBytes;
        int batch = out.nest();
        for (done = 0; done < count; done++) {
            int left = in.enterMessage(in.count());
            int message = in.u8();
            if (message != Messages.CALL && message != Messages.FIRST_CALL) {
                throw new SamewireException(Code.MALFORMED, in.at() - 1, null,
                    "the message " + message + " in a batch, which holds calls");
            }
            int mark = out.length();
            int exported = out.exportedCount();
            channel.perform(message, in, out);
            in.leaveMessage(left);
            if (out.length() > most - (count - done - 1) * LEAST_REPLY) {
                channel.takeBack(out, exported);
                out.truncate(mark, 0);
                Throws.writeLimit(out, frameBytes);
            }
        }
        in.finish();
        out.unnest(batch);
    }

    void keep(Object result) {
        results[done] = result;
    }

    void threw(Throwable what) {
        if (kept < MOST_THROWN) {
            kept++;
            thrown[done] = what;
            return;
        }
        if (unkept == null) {
            unkept = new SamewireException(Code.LIMIT_ITEMS, -1, null, "the result of a call of a batch that threw: "
                + MOST_THROWN + " exceptions of earlier calls are kept: use its result before, or send fewer calls");
        }
        thrown[done] = unkept;
    }

    Object result(long index) throws Thrown {
        if (index < 0 || index >= done) {
            throw new SamewireException(Code.MALFORMED, 0, null, "call " + done
                + " of a batch takes the result of call " + Long.toUnsignedString(index) + ", which is not before it");
        }
        Throwable what = thrown[(int) index];
        if (what instanceof SamewireException) {
            throw (SamewireException) what;
        }
        if (what != null) {
            throw what instanceof Thrown ? (Thrown) what : new Thrown(what);
        }
        return results[(int) index];
    }
}
