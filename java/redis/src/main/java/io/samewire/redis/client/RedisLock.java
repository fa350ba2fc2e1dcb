package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.CheckReturnValue;
import io.samewire.redis.command.Expiration;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.SetCommand;
import io.samewire.redis.command.SetCondition;
import io.samewire.redis.command.Strings;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A lock that processes and machines share: a key whose value is its holder's token. Scripts change the key only if it
 * has that token, so that a holder whose time is over cannot touch the lock of the next one. Python's
 * {@code client.lock(name)} and redis-py's are the same lock. Immutable and thread-safe; not reentrant.
 *
 * <pre>{@code
 * RedisLock lock = client.lock("orders").withTimeout(Duration.ofSeconds(30));
 * try (RedisLock.Held held = lock.acquire()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>A lock is known to one primary. After a fail-over a replica that has not got it yet gives it away once more.
 */
public final class RedisLock {
    // KEYS[1] is the lock's name, ARGV[1] the token. Each script returns 1, or 0 if the lock has another token or no
    // time. Their texts are those of `python/samewire/redis/lock.py`: servers keep one script for both.
    private static final String HELD = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n";
    private static final Script<Long> RELEASE = Script.of(HELD + "return redis.call('DEL', KEYS[1])",
        ReplyReader::readLong);
    /** ARGV[2]: milliseconds from now. */
    private static final Script<Long> REACQUIRE = Script.of(HELD + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])",
        ReplyReader::readLong);
    /** ARGV[2]: milliseconds. ARGV[3]: "0" counts them from the end of the time that is left, "1" from now. */
    private static final Script<Long> EXTEND = Script.of(HELD + """
        local from = redis.call('PTTL', KEYS[1])
        if from < 0 then return 0 end
        if ARGV[3] == '1' then from = 0 end
        return redis.call('PEXPIRE', KEYS[1], from + ARGV[2])""", ReplyReader::readLong);

    /** Milliseconds for which an interrupted thread waits until what it may have got is given back. */
    private static final long MOMENT = 500;

    private final CommandClient client;
    private final String name;
    /** Null for no end. */
    private final Duration timeout;
    private final long pause;

    RedisLock(CommandClient client, String name) {
        this(client, Objects.requireNonNull(name), null, 100_000_000L);
    }

    private RedisLock(CommandClient client, String name, Duration timeout, long pause) {
        this.client = client;
        this.name = name;
        this.timeout = timeout;
        this.pause = pause;
    }

    /**
     * Returns this lock with a time, of a millisecond at least, after which it is free again in any case.
     * Without one, as it is at first, the lock of a process that dies is taken until its key is deleted.
     */
    @CheckReturnValue
    public RedisLock withTimeout(Duration time) {
        millis(time);
        return new RedisLock(client, name, time, pause);
    }

    /** Returns this lock with another pause between attempts of a caller that waits, 100 ms at first. */
    @CheckReturnValue
    public RedisLock withPause(Duration time) {
        return new RedisLock(client, name, timeout, RedisOptions.positive(time));
    }

    /** Returns the pause between attempts of a caller that waits. */
    public Duration pause() {
        return Duration.ofNanos(pause);
    }

    /** Returns the lock's name: its key. */
    public String name() {
        return name;
    }

    /**
     * Waits for the lock, without a limit. A thread that is interrupted gives back what it may have got meanwhile.
     *
     * @throws SamewireException {@code closed} if the thread is interrupted; what {@link CommandClient#execute} throws
     */
    public Held acquire() {
        return attempts(Deadlines.NEVER).orElseThrow();
    }

    /** Takes the lock if it is free. Throws what {@link CommandClient#execute} throws. */
    public Optional<Held> tryAcquire() {
        Held held = new Held(UUID.randomUUID().toString().replace("-", ""));
        return held.take() ? Optional.of(held) : Optional.empty();
    }

    /**
     * Waits for the lock, at most so long. Returns nothing if another one has it still.
     *
     * @throws SamewireException as {@link #acquire}; {@code misuse} if the time is not above 0
     */
    public Optional<Held> tryAcquire(Duration wait) {
        return attempts(Deadlines.now() + RedisOptions.positive(wait));
    }

    private Optional<Held> attempts(long until) {
        while (true) {
            Optional<Held> held = tryAcquire();
            if (held.isPresent() || until != Deadlines.NEVER && Deadlines.now() + pause > until) {
                return held;
            } else if (!Pool.sleep(pause)) {
                throw new SamewireException(Code.CLOSED, -1, null, "the thread was interrupted while it waited for the"
                    + " lock \"" + name + "\"");
            }
        }
    }

    /**
     * Returns the lock as the holder of a token has it, that was acquired elsewhere: by another process that hands its
     * work over. Does not look whether it is held.
     */
    public Held held(String token) {
        return new Held(Objects.requireNonNull(token));
    }

    /** Returns whether anybody has the lock. */
    public boolean isLocked() {
        return client.execute(Keys.exists(name)) > 0;
    }

    private static long millis(Duration time) {
        long millis = RedisOptions.positive(time) / 1_000_000;
        if (millis == 0) {
            throw RedisOptions.misuse("expected a millisecond at least, found " + time);
        }
        return millis;
    }

    /** The name. */
    @Override
    public String toString() {
        return "the lock \"" + name + "\"";
    }

    /** A lock that was acquired. Closing it releases it. Thread-safe: any thread that has it may release it. */
    public final class Held implements AutoCloseable {
        private final String token;
        private volatile boolean released;

        private Held(String token) {
            this.token = token;
        }

        /** Takes the lock if it is free. */
        private boolean take() {
            SetCommand set = Strings.set(name, token).condition(SetCondition.NX);
            try {
                return client.execute(timeout == null ? set : set.expiration(Expiration.px(millis(timeout))));
            } catch (ConnectionException lost) {
                // Nobody else has this token: if it is there, the command has run.
                if (lost.mayHaveRun() && !Thread.currentThread().isInterrupted() && isTaken(lost)) {
                    return true;
                }
                // With the flag set, what is sent would be interrupted at once.
                if (lost.mayHaveRun() && Thread.interrupted()) {
                    giveBack(lost);
                }
                throw lost;
            }
        }

        /**
         * Releases what an interrupted thread may have got, and sets its flag again. It waits a moment for that:
         * nothing bounds how long a server takes, and the release goes on without it.
         */
        private void giveBack(ConnectionException lost) {
            try {
                RELEASE.run(client.async(), List.of(name), token).get(MOMENT, TimeUnit.MILLISECONDS);
            } catch (TimeoutException | InterruptedException later) {
                lost.addSuppressed(later);
            } catch (ExecutionException failed) {
                lost.addSuppressed(Call.failure(failed));
            } catch (SamewireException closed) {
                lost.addSuppressed(closed);
            } finally {
                Thread.currentThread().interrupt();
            }
        }

        private boolean isTaken(ConnectionException lost) {
            try {
                return isOwned();
            } catch (ConnectionException | RedisException unknown) {
                // It may be: what is said of the question is not said of the command before it.
                lost.addSuppressed(unknown);
                return false;
            }
        }

        /** Returns the token: the value of the key. */
        public String token() {
            return token;
        }

        /** Returns whether the lock is still this holder's. */
        public boolean isOwned() {
            return client.execute(Strings.get(name)).filter(token::equals).isPresent();
        }

        /**
         * Gives the lock back. A release that lost its connection can be repeated.
         *
         * @throws SamewireException {@code closed} if another one has the lock by now, or nobody; {@code misuse} if it
         *     was released before; what {@link CommandClient#execute} throws
         */
        public void release() {
            if (released) {
                throw RedisOptions.misuse(RedisLock.this + " is not held: it was released");
            }
            long reply = RELEASE.run(client, List.of(name), token);
            released = true;
            changed(reply);
        }

        /**
         * Adds to the time that is left.
         *
         * @throws SamewireException as {@link #release}; {@code misuse} also if the lock has no time, or less than a
         *     millisecond is added
         */
        public void extend(Duration more) {
            check();
            changed(EXTEND.run(client, List.of(name), token, String.valueOf(millis(more)), "0"));
        }

        /**
         * Sets the time that is left to {@link RedisLock#withTimeout} again.
         *
         * @throws SamewireException as {@link #release}; {@code misuse} also if the lock has no time
         */
        public void reacquire() {
            check();
            changed(REACQUIRE.run(client, List.of(name), token, String.valueOf(millis(timeout))));
        }

        private void check() {
            if (released || timeout == null) {
                throw RedisOptions.misuse(RedisLock.this + (released ? " is not held: it was released"
                    : " has no time that could be changed: give it one by withTimeout"));
            }
        }

        private void changed(long reply) {
            if (reply == 0) {
                throw new SamewireException(Code.CLOSED, -1, null, RedisLock.this + " is another holder's, or nobody's,"
                    + " by now: its time " + (timeout == null ? "" : "of " + timeout.toMillis() + " ms ")
                    + "was over, or its key was deleted");
            }
        }

        /** Releases the lock if that was not done. Throws as {@link #release}. */
        @Override
        public void close() {
            if (!released) {
                release();
            }
        }
    }
}
