package io.samewire.redis.resp;

/**
 * The reply goes on behind the bytes that a {@link ReplyReader} was given. It is not an error: more bytes have to come.
 * There is one instance, without a stack trace, since the last reply of every receive buffer may be cut.
 */
public final class IncompleteReplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final IncompleteReplyException INSTANCE = new IncompleteReplyException();

    private IncompleteReplyException() {
        super("the reply is not complete", null, false, false);
    }
}
