package io.samewire.redis.spring;

import io.samewire.redis.command.Bytes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The arguments of a command as Spring has them: bytes, texts, numbers, and arrays and collections of these. An empty
 * collection is an option that is not there; an array has at least one.
 */
final class Arguments {
    private final List<CharSequence> words = new ArrayList<>();
    private final boolean kept;

    private Arguments(boolean kept) {
        this.kept = kept;
    }

    /** Returns the words of a command. kept: whether it is sent after the caller has its arrays back. */
    static CharSequence[] of(boolean kept, Object... given) {
        Arguments made = new Arguments(kept);
        made.addAll(given);
        return made.words.toArray(CharSequence[]::new);
    }

    private void addAll(Object[] given) {
        for (Object one : given) {
            add(one);
        }
    }

    private void add(Object one) {
        if (one instanceof byte[] bytes) {
            words.add(kept ? Bytes.of(bytes) : Bytes.wrap(bytes));
        } else if (one instanceof CharSequence text) {
            words.add(text);
        } else if (one instanceof Object[] inner && inner.length > 0) {
            addAll(inner);
        } else if (one instanceof Collection<?> inner) {
            inner.forEach(this::add);
        } else if (one instanceof Double real) {
            words.add(text(real));
        } else if (one instanceof Number number) {
            words.add(number.toString());
        } else if (one instanceof Enum<?> word) {
            words.add(word.name());
        } else {
            throw new IllegalArgumentException("expected bytes, a text or a number, or at least one of them, as"
                + " argument " + (words.size() + 1) + " of the command, found "
                + (one instanceof Object[] ? "none" : one));
        }
    }

    /** Returns a double as the server reads it. */
    static String text(double real) {
        return real == Double.POSITIVE_INFINITY ? "+inf" : real == Double.NEGATIVE_INFINITY ? "-inf"
            : Double.toString(real);
    }

    /** Returns some words if a condition holds, else none. */
    static List<Object> when(boolean holds, Object... words) {
        return holds ? List.of(words) : List.of();
    }
}
