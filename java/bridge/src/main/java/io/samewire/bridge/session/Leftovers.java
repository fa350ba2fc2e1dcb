package io.samewire.bridge.session;

import io.samewire.bridge.transport.Link;
import io.samewire.bridge.wire.Blobs;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Tags;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.List;

/**
 * Skips the arguments of a refused call: the large values that follow the message are read from the stream, and
 * received references are counted.
 */
final class Leftovers {
    private final Session session;
    private final Link link;
    private final Input in;
    /** Values before this offset have been read. */
    private final int from;
    private byte[] scratch;

    private Leftovers(Session session, Link link, Input in, int from) {
        this.session = session;
        this.link = link;
        this.in = in;
        this.from = from;
    }

    /** Returns the error without its offset if only a limit of this side was exceeded, else null. */
    static SamewireException beyondLimits(Throwable error) {
        if (!(error instanceof SamewireException)) {
            return null;
        }
        SamewireException coded = (SamewireException) error;
        if (coded.at() < 0 || coded.code() != Code.LIMIT_ITEMS && coded.code() != Code.LIMIT_DEPTH) {
            return null;
        }
        String message = coded.getMessage();
        return new SamewireException(coded.code(), -1, null, message.substring(message.indexOf(": ") + 2));
    }

    /** Skips the arguments that begin at an offset of the message, some of which have been read. */
    static void pass(Channel channel, Input in, int first, List<Kind> kinds) {
        in.lift();
        in.backToUnread();
        if (in.remaining() > 0) {
            Leftovers leftovers = new Leftovers(channel.session(), channel.link(), in, in.at());
            in.at(first);
            for (int i = 0; i < kinds.size(); i++) {
                leftovers.value(kinds.get(i));
            }
        }
        in.lower();
        in.finish();
    }

    private void value(Kind kind) {
        switch (kind.form()) {
            case NULL: break;
            case BOOL:
                in.bool();
                break;
            case I8: case I16: case I32: case I64: case F32: case F64: case CHAR:
                in.skip(kind.width());
                break;
            case STRING:
                string();
                break;
            case BYTES: case PACK:
                row(1);
                break;
            case ROW:
                row(kind.element().width());
                break;
            case STRINGS:
                strings();
                break;
            case OPTION:
                if (in.present()) {
                    value(kind.element());
                }
                break;
            case OBJECT: case PEER:
                reference();
                break;
            case RESULT:
                in.varint();
                break;
            case ANY:
                values(-1);
                break;
            case LIST: case SET: case TUPLE:
                values(1);
                break;
            case MAP:
                values(2);
                break;
            default: throw in.malformed("'" + kind + "' is not a kind of an argument");
        }
    }

    private void string() {
        long head = in.varint();
        // Twice the number of units is the number of bytes of the wide ones.
        in.skipLong((head & 1) == 0 ? head >>> 1 : head - 1);
    }

    private void strings() {
        int n = in.elements();
        for (int i = 0; i < n; i++) {
            string();
        }
    }

    private void row(int width) {
        int at = in.at();
        int n = in.row(width);
        if (n >= 0) {
            in.skip(n * width);
        } else if (at >= from) {
            if (scratch == null) {
                scratch = new byte[64 << 10];
            }
            for (long left = (long) ~n * width; left > 0; ) {
                int some = (int) Math.min(left, scratch.length);
                link.read(scratch, 0, some);
                left -= some;
            }
        }
    }

    private void reference() {
        if (in.at() >= from) {
            session.references().read(in);
        } else if ((in.reference() & 1) != 0) {
            in.classNumber();
        }
    }

    /** Skips a counted sequence, with so many values for each count; a single value if that is negative. */
    private void values(int each) {
        Blobs outer = in.source();
        in.source(null);
        if (each < 0) {
            any();
        } else {
            in.enter();
            int n = each == 1 ? in.elements() : in.entries();
            for (long i = 0; i < (long) n * each; i++) {
                any();
            }
            in.leave();
        }
        in.source(outer);
    }

    private void any() {
        int tag = in.u8();
        switch (tag) {
            case Tags.NULL: case Tags.FALSE: case Tags.TRUE: break;
            case Tags.STRING:
                string();
                break;
            case Tags.LIST: case Tags.SET: case Tags.TUPLE:
                values(1);
                break;
            case Tags.MAP:
                values(2);
                break;
            case Tags.OBJECT:
                reference();
                break;
            case Tags.KIND:
                int at = in.at();
                Kind kind = Kind.parse(in.name(), at);
                if (kind.form() != Kind.Form.PACK) {
                    throw new SamewireException(Code.MALFORMED, at, null, "'" + kind + "' is not a schema of pack");
                }
                row(1);
                break;
            case Tags.PEER:
                int peerAt = in.at();
                if (Kind.parse(in.name(), peerAt).interfaces().isEmpty()) {
                    throw new SamewireException(Code.MALFORMED, peerAt, null, "a peer without an interface");
                }
                reference();
                break;
            default:
                int width = Tags.width(tag);
                if (width > 0) {
                    in.skip(width);
                } else if (width < 0) {
                    row(-width);
                } else {
                    in.at(in.at() - 1);
                    throw in.malformed("no value has the tag " + tag);
                }
        }
    }
}
