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
        ReplyReader reader = new ReplyReader(READ, utf8).reset(reply, 0, reply.length);
        ReplyType type = reader.type();
        Reply slice = slice(type, reply, reader.position(), utf8);
        return slice != null ? slice : value(reader, type);
    }

    /** Returns the next element of a reply that the bytes hold. */
    static Reply next(ReplyReader reader, byte[] bytes, Utf8 utf8) {
        ReplyType type = reader.type();
        Reply slice = slice(type, bytes, reader.position(), utf8);
        if (slice == null) {
            return value(reader, type);
        }
        reader.skip();
        return slice;
    }

    /** Returns an element that is read when it is asked for, or null if it is a scalar. */
    private static Reply slice(ReplyType type, byte[] bytes, int at, Utf8 utf8) {
        return switch (type) {
            case ERROR -> new Reply.Error(bytes, at);
            case SIMPLE, BULK, VERBATIM -> new Reply.Text(type, bytes, at, utf8);
            case ARRAY, SET, PUSH -> new Reply.Array(type, new LazyElements(bytes, at, utf8));
            case MAP -> new Reply.Map(new LazyElements(bytes, at, utf8));
            default -> null;
        };
    }

    private static Reply value(ReplyReader reader, ReplyType type) {
        return switch (type) {
            case INTEGER -> new Reply.Integer(reader.readLong());
            case DOUBLE -> new Reply.Double(reader.readDouble());
            case BOOLEAN -> new Reply.Boolean(reader.readBoolean());
            case BIG_NUMBER -> new Reply.BigNumber(reader.readString());
            default -> {
                reader.skip();
                yield Reply.Null.INSTANCE;
            }
        };
    }
}
