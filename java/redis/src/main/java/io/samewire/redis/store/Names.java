package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Keys with one prefix. */
final class Names {
    private static final String SPECIAL = "\\*?[]^-";

    private final CharSequence prefix;
    private final byte[] bytes;

    Names(CharSequence prefix) {
        if (prefix == null) {
            throw misuse("a prefix is null: expected a text or Bytes");
        }
        this.prefix = prefix instanceof Bytes ? prefix : prefix.toString();
        this.bytes = bytes(this.prefix);
    }

    private static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }

    private static byte[] bytes(CharSequence name) {
        return name instanceof Bytes given ? given.toByteArray() : Bytes.of(name.toString()).toByteArray();
    }

    /** Returns the key of a name. */
    CharSequence key(CharSequence name) {
        if (name == null) {
            throw misuse("a name is null: expected a text or Bytes (the prefix is \"" + this + "\")");
        }
        if (!(prefix instanceof Bytes) && !(name instanceof Bytes)) {
            return prefix.toString().concat(name.toString());
        }
        byte[] last = bytes(name);
        byte[] key = Arrays.copyOf(bytes, bytes.length + last.length);
        System.arraycopy(last, 0, key, bytes.length, last.length);
        return Bytes.wrap(key);
    }

    /** Returns the name of a key with the prefix. */
    Bytes name(byte[] key) {
        return Bytes.wrap(Arrays.copyOfRange(key, bytes.length, key.length));
    }

    /** Returns a pattern for SCAN: the prefix as it is, then {@code match}, in which the signs have meaning. */
    CharSequence pattern(String match) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : bytes) {
            char c = (char) (b & 0xff);
            escaped.append(SPECIAL.indexOf(c) < 0 ? "" : "\\").append(c);
        }
        byte[] start = escaped.toString().getBytes(StandardCharsets.ISO_8859_1);
        return new Names(Bytes.wrap(start)).key(match);
    }

    /** Returns a name as error texts show it. */
    static String shown(CharSequence name) {
        return name instanceof Bytes bytes ? new String(bytes.toByteArray(), StandardCharsets.UTF_8) : name.toString();
    }

    @Override
    public String toString() {
        return shown(prefix);
    }
}
