package io.samewire.pack.wire;

/** What messages carry of the digest of their schema, behind the header. */
public enum WrittenDigest {
    /** Nothing. */
    NONE(0, 0),
    /** Its first bytes. */
    CHECK(Header.CHECK, Header.CHECK_BYTES),
    /** All of it. */
    WHOLE(Header.DIGEST, Header.DIGEST_BYTES);

    final int flag;
    final int bytes;

    WrittenDigest(int flag, int bytes) {
        this.flag = flag;
        this.bytes = bytes;
    }

    void write(long digest, byte[] to, int at) {
        if (this == WHOLE) {
            Bytes.putLong(to, at, Long.reverseBytes(digest));
        } else if (this == CHECK) {
            Bytes.putChar(to, at, Header.check(digest));
        }
    }
}
