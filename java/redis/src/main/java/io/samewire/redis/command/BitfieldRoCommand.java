package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code BITFIELD_RO}: operations on integers within a string. Each method returns another command, with one more
 * operation; the reply has an element for each.
 */
@CheckReturnValue
public final class BitfieldRoCommand extends Command<List<OptionalLong>> {
    BitfieldRoCommand(Facts facts, Object... words) {
        super(facts, words);
    }

    private BitfieldRoCommand with(Object... operation) {
        return new BitfieldRoCommand(facts, Words.with(words, words.length, operation));
    }

    /** Reads an integer. */
    public BitfieldRoCommand get(IntegerType type, BitOffset offset) {
        return with(Tokens.GET, type.word, offset.word);
    }

    @Override
    public List<OptionalLong> read(ReplyReader in) {
        return Replies.list(in, Replies::optionalLong);
    }
}
