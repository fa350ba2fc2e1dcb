package io.samewire.redis.resp;

import io.samewire.core.Limits;

/** Makes a {@link Reply} of bytes that are known to be one. */
final class LazyReply {
    /** Of bytes that were read before, so that what bounds them has been judged. */
    static final Limits READ = new Limits(Budget.MOST_DEPTH, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE,
        Integer.MAX_VALUE, Integer.MAX_VALUE);

    private LazyReply() {}

    /** Returns the reply that the bytes are, which are known to be well-formed. */
    static Reply of(byte[] reply, Utf8 utf8) {
        return next(new ReplyReader(READ, utf8).reset(reply, 0, reply.length), reply, utf8);
    }

    static Reply next(ReplyReader reader, byte[] bytes, Utf8 utf8) {
        ReplyType type = reader.type();
        int at = reader.position();
        return switch (type) {
            case NULL -> {
                reader.skip();
                yield Reply.Null.INSTANCE;
            }
            case INTEGER -> new Reply.Integer(reader.readLong());
            case DOUBLE -> new Reply.Double(reader.readDouble());
            case BOOLEAN -> new Reply.Boolean(reader.readBoolean());
            case BIG_NUMBER -> new Reply.BigNumber(reader.readString());
            case ERROR -> {
                reader.skip();
                yield new Reply.Error(bytes, at);
            }
            case SIMPLE, BULK, VERBATIM -> {
                reader.skip();
                yield new Reply.Text(type, bytes, at, utf8);
            }
            case ARRAY, SET, PUSH -> {
                reader.skip();
                yield new Reply.Array(type, new LazyElements(bytes, at, utf8));
            }
            case MAP -> {
                reader.skip();
                yield new Reply.Map(new LazyElements(bytes, at, utf8));
            }
        };
    }
}
