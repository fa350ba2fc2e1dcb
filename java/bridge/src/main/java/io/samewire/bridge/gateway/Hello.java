package io.samewire.bridge.gateway;

import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The first message of a channel ({@code spec/bridge.md} section 3). */
final class Hello {
    private static final int SESSION_BYTES = 16;
    private static final int CONTINUED_BYTES = SESSION_BYTES + Integer.BYTES;

    final int role;
    final byte[] session;
    /** Whether an existing channel moves to this connection; its number. */
    final boolean goesOn;
    final int channel;
    /** The digests of the client's records, the first byte the highest. */
    final Map<String, Long> records;
    /** The path of the shared memory that the client offers; null if it offers none. */
    final String ring;
    final int capacity;
    final long generation;

    private Hello(Input in, int role) {
        this.role = role;
        int at = in.at();
        byte[] came = in.bytes();
        goesOn = role == Messages.CALLS && came.length == CONTINUED_BYTES;
        if (!goesOn && came.length != (role == Messages.CONTROL ? 0 : SESSION_BYTES)) {
            throw new SamewireException(Code.MALFORMED, at, null, "a session of " + came.length
                + " bytes: a control channel has none, another one of 16 bytes, or 20 if it goes on");
        }
        session = goesOn ? Arrays.copyOf(came, SESSION_BYTES) : came;
        channel = goesOn ? number(came) : 0;
        in.name();
        in.i64();
        int wants = in.count();
        for (int i = 0; i < wants; i++) {
            in.name();
        }
        int count = in.count();
        records = new HashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.name();
            records.put(name, Long.reverseBytes(in.i64()));
        }
        boolean offered = in.bool();
        ring = offered ? in.name() : null;
        capacity = offered ? in.i32() : 0;
        generation = offered ? in.i64() : 0;
        in.finish();
    }

    private static int number(byte[] name) {
        int number = 0;
        for (int i = CONTINUED_BYTES - 1; i >= SESSION_BYTES; i--) {
            number = number << Byte.SIZE | name[i] & 0xff;
        }
        return number;
    }

    /**
     * Reads a hello. After a wrong token nothing more is read.
     *
     * @param token the token that the client must send; null if none is needed
     * @throws SamewireException the reason for which the client is refused
     */
    static Hello read(Input in, byte[] token) {
        if (in.u8() != Messages.HELLO) {
            throw new SamewireException(Code.MALFORMED, 0, null, "a channel begins with a hello");
        }
        int version = in.u16();
        if (version != Messages.VERSION) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, "this gateway has version " + Messages.VERSION
                + " of the protocol, not " + version);
        }
        int at = in.at();
        int role = in.u8();
        if (role > Messages.CALLBACKS) {
            throw new SamewireException(Code.MALFORMED, at, null, "a role is 0 to 2, not " + role);
        }
        byte[] came = in.bytes();
        if (token != null && !Secrets.equal(came, token)) {
            throw new SamewireException(Code.MISUSE, -1, null, "the token is not that of this gateway");
        }
        return new Hello(in, role);
    }
}
