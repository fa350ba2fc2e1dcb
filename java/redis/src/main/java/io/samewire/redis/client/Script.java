package io.samewire.redis.client;

import io.samewire.core.SamewireException;
import io.samewire.redis.command.CheckReturnValue;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.Reply;
import io.samewire.redis.resp.ReplyReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A Lua script that is called by its digest, and sent as a whole only to a server that does not know it. Immutable.
 *
 * @param <T> the type of its reply
 */
public final class Script<T> {
    private final String text;
    private final String digest;
    private final Reading<T> reading;

    private Script(String text, Reading<T> reading) {
        this.text = text;
        this.reading = reading;
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            this.digest = HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException none) {
            throw new IllegalStateException(none);
        }
    }

    /** Returns a script whose reply may be anything. */
    public static Script<Reply> of(String text) {
        return new Script<>(text, ReplyReader::readReply);
    }

    /**
     * Returns a script whose reply is read in a way of your own: {@code Script.of("return 1", ReplyReader::readLong)}.
     */
    public static <T> Script<T> of(String text, Reading<T> reading) {
        return new Script<>(text, reading);
    }

    /** Returns the digest by which servers know the script. */
    public String digest() {
        return digest;
    }

    /** Returns the call by the digest, which fails with {@code NOSCRIPT} where the script is not known. */
    @CheckReturnValue
    public Command<T> byDigest(List<? extends CharSequence> keys, CharSequence... arguments) {
        return command("EVALSHA", digest, keys, arguments);
    }

    /** Returns the call with the script's text, which makes it known. */
    @CheckReturnValue
    public Command<T> byText(List<? extends CharSequence> keys, CharSequence... arguments) {
        return command("EVAL", text, keys, arguments);
    }

    private Command<T> command(String name, String script, List<? extends CharSequence> keys,
            CharSequence... arguments) {
        CharSequence[] words = new CharSequence[2 + keys.size() + arguments.length];
        words[0] = script;
        words[1] = String.valueOf(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            words[2 + i] = keys.get(i);
        }
        System.arraycopy(arguments, 0, words, 2 + keys.size(), arguments.length);
        return Commands.of(reading, name, words);
    }

    /**
     * Runs the script, on a cluster on the node of its keys, and returns its reply.
     *
     * @throws RedisException if it fails
     * @throws SamewireException what {@link CommandClient#execute} throws besides
     */
    public T run(CommandClient client, List<? extends CharSequence> keys, CharSequence... arguments) {
        try {
            return client.execute(byDigest(keys, arguments));
        } catch (RedisException error) {
            if (!isUnknown(error)) {
                throw error;
            }
            return client.execute(byText(keys, arguments));
        }
    }

    /** Runs the script, and returns a future of its reply. */
    public CompletableFuture<T> run(AsyncClient client, List<? extends CharSequence> keys, CharSequence... arguments) {
        CharSequence[] copy = Arrays.copyOf(arguments, arguments.length);
        List<CharSequence> same = List.copyOf(keys);
        return client.execute(byDigest(same, copy)).exceptionallyCompose(failure -> {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return cause instanceof RedisException error && isUnknown(error) ? client.execute(byText(same, copy))
                : CompletableFuture.failedFuture(failure);
        });
    }

    /** The digest: the text may be long. */
    @Override
    public String toString() {
        return "script " + digest;
    }

    private static boolean isUnknown(RedisException error) {
        return error.text().startsWith("NOSCRIPT");
    }
}
