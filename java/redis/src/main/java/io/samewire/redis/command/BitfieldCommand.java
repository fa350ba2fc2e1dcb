package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code BITFIELD}: operations on integers within a string. Each method returns another command, with one more
 * operation; the reply has an element for each.
 */
@CheckReturnValue
public final class BitfieldCommand extends Command<List<OptionalLong>> {
    BitfieldCommand(Facts facts, Object... words) {
        super(facts, words);
    }

    private BitfieldCommand with(Object... operation) {
        return new BitfieldCommand(facts, Words.with(words, words.length, operation));
    }

    /** Reads an integer. */
    public BitfieldCommand get(IntegerType type, BitOffset offset) {
        return with(Tokens.GET, type.word, offset.word);
    }

    /** Sets an integer. The reply has its value before. */
    public BitfieldCommand set(IntegerType type, BitOffset offset, long value) {
        return with(Tokens.SET, type.word, offset.word, value);
    }

    /**
     * Adds to an integer. The reply has its value afterwards, nothing if it does not fit under {@link Overflow#FAIL}.
     */
    public BitfieldCommand incrby(IntegerType type, BitOffset offset, long increment) {
        return with(Tokens.INCRBY, type.word, offset.word, increment);
    }

    /** Says what becomes of numbers that do not fit, in the operations behind this. The reply has nothing for it. */
    public BitfieldCommand overflow(Overflow how) {
        return with(Tokens.OVERFLOW, how.word);
    }

    @Override
    public List<OptionalLong> read(ReplyReader in) {
        return Replies.list(in, Replies::optionalLong);
    }
}
