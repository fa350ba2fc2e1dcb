package io.samewire.redis.resp;

import java.nio.charset.StandardCharsets;

/**
 * Writes replies as a server does, in RESP3 and their canonical form ({@code spec/redis.md} section 4): for tests,
 * proxies and servers. The elements of an aggregate are what is written after it. Not thread-safe.
 */
public final class ReplyWriter {
    private final RequestWriter out;

    /** Creates a writer that appends to {@code out}. */
    public ReplyWriter(RequestWriter out) {
        this.out = out;
    }

    /** Writes a reply, or an element of one, with all that it contains. */
    public void reply(Reply reply) {
        if (reply instanceof Reply.Integer number) {
            line(':', Long.toString(number.value()));
        } else if (reply instanceof Reply.Double number) {
            line(',', Decimals.text(number.value()));
        } else if (reply instanceof Reply.Boolean truth) {
            line('#', truth.value() ? "t" : "f");
        } else if (reply instanceof Reply.BigNumber number) {
            line('(', number.digits());
        } else if (reply instanceof Reply.Error error) {
            error(error.bytes());
        } else if (reply instanceof Reply.Text text) {
            text(text);
        } else if (reply instanceof Reply.Map map) {
            line('%', Integer.toString(map.size()));
            map.elements().forEach(this::reply);
        } else if (reply instanceof Reply.Array array) {
            char type = switch (array.type()) {
                case SET -> '~';
                case PUSH -> '>';
                default -> '*';
            };
            line(type, Integer.toString(array.elements().size()));
            array.elements().forEach(this::reply);
        } else {
            line('_', "");
        }
    }

    private void text(Reply.Text text) {
        byte[] bytes = text.bytes();
        if (text.type() == ReplyType.VERBATIM) {
            line('=', Integer.toString(bytes.length + 4));
            out.raw((text.format() + ":").getBytes(StandardCharsets.ISO_8859_1));
            out.raw(bytes);
            out.end();
        } else if (text.type() == ReplyType.SIMPLE && isLine(bytes)) {
            line('+', bytes);
        } else {
            out.word(bytes);
        }
    }

    private void error(byte[] text) {
        if (isLine(text)) {
            line('-', text);
            return;
        }
        line('!', Integer.toString(text.length));
        out.raw(text);
        out.end();
    }

    private void line(char type, String text) {
        line(type, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void line(char type, byte[] text) {
        out.raw(new byte[] {(byte) type});
        out.raw(text);
        out.end();
    }

    private static boolean isLine(byte[] text) {
        for (byte b : text) {
            if (b == '\r' || b == '\n') {
                return false;
            }
        }
        return true;
    }
}
