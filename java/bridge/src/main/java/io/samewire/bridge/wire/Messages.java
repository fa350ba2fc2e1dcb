package io.samewire.bridge.wire;

/** The first bytes of messages ({@code spec/bridge.md} section 2), and other constants of the protocol. */
public final class Messages {
    /** The version of the protocol. */
    public static final int VERSION = 1;

    /** The first message of a channel, from the client. */
    public static final int HELLO = 0x01;
    /** The gateway's reply to it. */
    public static final int WELCOME = 0x02;
    /** The gateway refuses the channel, which ends. */
    public static final int REFUSED = 0x03;
    /** A call of a site that the peer knows. */
    public static final int CALL = 0x10;
    /** A call with the definition of its site. */
    public static final int FIRST_CALL = 0x11;
    /** Many calls. */
    public static final int BATCH = 0x12;
    /** The call returned, and there is no result. */
    public static final int NOTHING = 0x20;
    /** The result of a call. */
    public static final int RETURN = 0x21;
    /** The result of a first call, after its kind. */
    public static final int FIRST_RETURN = 0x22;
    /** The exception that ended a call. */
    public static final int THROW = 0x23;
    /** The replies to a batch. */
    public static final int BATCH_RETURN = 0x24;
    /** A piece of a large value. */
    public static final int BLOB = 0x28;
    /** References that the peer no longer needs. */
    public static final int RELEASE = 0x30;
    /** Interrupts the thread that runs a call of a channel. */
    public static final int INTERRUPT = 0x31;
    /** Asks whether the peer is there. */
    public static final int PING = 0x32;
    /** The answer to a ping. */
    public static final int PONG = 0x33;
    /** The session ends, and why. */
    public static final int BYE = 0x34;
    /** The gateway asks for one more callback channel. */
    public static final int MORE = 0x35;

    /** The role of the first channel of a session. */
    public static final int CONTROL = 0;
    /** The role of a channel on which the client calls first. */
    public static final int CALLS = 1;
    /** The role of a channel on which the gateway calls first. */
    public static final int CALLBACKS = 2;

    /** Values of so many bytes and more follow their message. */
    public static final int BLOB_BYTES = 64 << 10;
    /** The most bytes of a large value in one message. */
    public static final int BLOB_PIECE = 1 << 20;
    /** The most bytes of a hello. */
    public static final int HELLO_BYTES = 64 << 10;

    private Messages() {}
}
