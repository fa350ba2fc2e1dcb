package io.samewire.redis.client;

import io.samewire.redis.command.Command;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Commands that wait to be sent together, encoded as they are added, and their results. Not thread-safe. */
final class Queue implements Batch {
    private static final byte[] NOTHING = {};
    /** Results for which room is made before they come. */
    private static final int MOST_EXPECTED = 4096;

    private final WriterPool writers;
    /** Null while there are no commands. */
    private RequestWriter out;
    private List<Result<?>> results = new ArrayList<>();
    private boolean repeatable = true;
    private long waitMillis = -1;
    private boolean mayHaveRun;

    Queue(WriterPool writers) {
        this.writers = writers;
    }

    <T> Result<T> add(Command<T> command) {
        SharedCommands.check(command);
        return addUnchecked(command);
    }

    /** Adds a command without the check that it leaves the connection unchanged. */
    <T> Result<T> addUnchecked(Command<T> command) {
        if (out == null) {
            out = writers.take();
        }
        int before = out.length();
        try {
            command.write(out);
        } catch (RuntimeException unwritable) {
            out.truncate(before);
            throw unwritable;
        }
        repeatable &= command.repeatable();
        long waits = command.blockingMillis();
        if (waits >= 0) {
            waitMillis = waits == 0 || waitMillis == 0 ? 0 : Math.max(waitMillis, 0) + waits;
        }
        Result<T> result = new Result<>(command, out.length());
        results.add(result);
        return result;
    }

    List<Result<?>> results() {
        return results;
    }

    /** Whether each of the commands may be sent again although it may have run. */
    boolean isRepeatable() {
        return repeatable;
    }

    /** How long the server may wait before a reply, as in {@link Command#blockingMillis}. */
    long waitMillis() {
        return waitMillis;
    }

    /** Drops all commands. Their results stay as they are, and so does the list. */
    void clear() {
        if (out != null) {
            writers.give(out);
            out = null;
        }
        // The next ones are often as many.
        results = new ArrayList<>(Math.min(results.size(), MOST_EXPECTED));
        repeatable = true;
        waitMillis = -1;
    }

    @Override
    public byte[] bytes() {
        return out == null ? NOTHING : out.array();
    }

    @Override
    public int length() {
        return out == null ? 0 : out.length();
    }

    @Override
    public int replies() {
        return results.size();
    }

    @Override
    public int end(int index) {
        return results.get(index).end;
    }

    @Override
    public void begin() {
        results.forEach(Result::reset);
    }

    @Override
    public boolean takeDirectly(int index, ReplyReader reply) {
        return results.get(index).takeDirectly(reply);
    }

    @Override
    public void take(int index, ReplyBuffer in) {
        results.get(index).take(in.reader(), in.isError());
    }

    @Override
    public void lost(int replied, long written) {
        mayHaveRun = written > 0;
    }

    @Override
    public boolean isRefused(Predicate<RuntimeException> reason) {
        boolean refused = false;
        for (Result<?> result : results) {
            if (reason.test(result.failure())) {
                refused = true;
            } else if (!result.command().repeatable()) {
                return false;
            }
        }
        return refused;
    }

    @Override
    public RuntimeException refusal() {
        return results.stream().map(Result::failure).filter(java.util.Objects::nonNull).findFirst().orElse(null);
    }

    @Override
    public boolean mayHaveRun() {
        return mayHaveRun;
    }
}
