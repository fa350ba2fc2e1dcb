package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import java.util.List;
import java.util.function.Function;

/**
 * A command as a value: its arguments and how its reply is read. It is immutable, may be executed any number of times
 * by any executor (client, pipeline, transaction, cluster), and by several threads at once.
 *
 * <p>Factories are grouped as the server groups its commands: {@link Strings#get}, {@link Hashes#hset}; what they do
 * not know is made by {@link Commands#of}. Arguments are {@link CharSequence}s: a {@link String}, which is sent as
 * UTF-8, or {@link Bytes}.
 *
 * @param <T> the type of the reply
 */
public abstract class Command<T> {
    final Facts facts;
    /** As {@link Words} has them. Never changed once the command is made. */
    final Object[] words;

    Command(Facts facts, Object... words) {
        this.facts = facts;
        this.words = words;
    }

    /** Returns the name in capitals, with the subcommand behind a blank: {@code CLIENT LIST}. */
    public final String name() {
        return facts.name();
    }

    /** Returns what is known of every command of this name. */
    public final Facts facts() {
        return facts;
    }

    /** Returns whether the command only reads, so that a replica may run it. */
    public final boolean readOnly() {
        return facts.readOnly();
    }

    /**
     * Returns whether the command may be sent again although it may have run ({@code spec/redis/repeatable.txt}). One
     * that waits for what comes after it was received (the ID {@code $}) may not: it would skip what came in between.
     */
    public final boolean repeatable() {
        return facts.repeatable() && (facts.waits() == null || !facts.fromNow(arguments()));
    }

    /**
     * Returns whether the reply alone has what the command takes from the server ({@code spec/redis/taking.txt}): an
     * element that it pops, a value that it deletes or replaces, entries that no group keeps as pending.
     */
    public final boolean takes() {
        return facts.taking() != null && facts.taking().by(arguments());
    }

    /**
     * Returns how long the server may wait before it replies, in milliseconds: 0 for ever, -1 if the command does not
     * wait for what other clients do.
     */
    public final long blockingMillis() {
        return facts.waits() == null ? -1 : facts.waits().millis(arguments());
    }

    /**
     * Returns the keys of the command, in its order; also the channel of {@code SPUBLISH}, which is routed as keys are.
     */
    public final List<Bytes> keys() {
        return facts.keys(arguments());
    }

    /**
     * Returns the slot of the command's keys in a cluster, 0 to 16,383, or -1 if it has no key.
     *
     * @throws io.samewire.core.SamewireException {@code misuse} if keys are in different slots
     */
    public final int slot() {
        return facts.slot(words, this);
    }

    /** Returns how many bytes the arguments take, about: for those who bound what waits to be sent. */
    public final long argumentBytes() {
        return Words.bytes(words);
    }

    /** Writes the request: the array of the command's name and its arguments. */
    public final void write(RequestWriter out) {
        out.begin(facts.words() + Words.count(words));
        out.raw(facts.encoded());
        Words.write(words, out);
    }

    /**
     * Reads the reply.
     *
     * @param in a reader before the reply; behind it afterwards
     * @return the value
     * @throws io.samewire.redis.resp.RedisException if the reply is an error
     * @throws io.samewire.core.SamewireException {@code type_mismatch} if the reply has another shape, {@code bad_utf8}
     *     if a text that is read as a {@link String} is not valid UTF-8
     */
    public abstract T read(ReplyReader in);

    /**
     * Returns the same command with another reply: what {@code change} makes of this one's.
     *
     * @param change must have no side effects: it may be called again for a reply for which it has thrown
     * @param <U> the type of the new reply
     */
    @CheckReturnValue
    public final <U> Command<U> map(Function<? super T, ? extends U> change) {
        return new MappedCommand<>(this, change);
    }

    /** The name and the arguments, one word each. */
    final List<Object> arguments() {
        return Words.flat(facts, words);
    }

    /** The name and the number of arguments; not the arguments, which may be secrets. */
    @Override
    public final String toString() {
        return facts.name() + " (" + Words.count(words) + " arguments)";
    }
}
