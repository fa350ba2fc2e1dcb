package io.samewire.redis.command;

/** An end of a range of members by name: {@code LexBound.of("a")}, {@code LexBound.exclusive("b")}, {@link #MIN}. */
@CheckReturnValue
public final class LexBound {
    /** Before every member. */
    public static final LexBound MIN = new LexBound(new Token("-"));
    /** Behind every member. */
    public static final LexBound MAX = new LexBound(new Token("+"));

    final Object word;

    private LexBound(Object word) {
        this.word = word;
    }

    /** Returns a bound that belongs to the range. */
    public static LexBound of(CharSequence member) {
        return new LexBound(after('[', member));
    }

    /** Returns a bound that does not belong to the range. */
    public static LexBound exclusive(CharSequence member) {
        return new LexBound(after('(', member));
    }

    private static Object after(char sign, CharSequence member) {
        if (!(member instanceof Bytes bytes)) {
            return sign + member.toString();
        }
        byte[] signed = new byte[bytes.length() + 1];
        signed[0] = (byte) sign;
        System.arraycopy(bytes.array(), 0, signed, 1, bytes.length());
        return Bytes.wrap(signed);
    }

    /** What is sent. */
    @Override
    public String toString() {
        return Words.shown(word);
    }
}
