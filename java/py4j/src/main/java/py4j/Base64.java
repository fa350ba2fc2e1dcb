package py4j;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes in base 64, in lines of 76 characters or in one. What is not a character of base 64 is skipped. */
public class Base64 {
    private static final java.util.Base64.Decoder DECODER = java.util.Base64.getMimeDecoder();

    /** Has static methods alone. */
    protected Base64() {}

    private static java.util.Base64.Encoder encoder(boolean lineSep) {
        return lineSep ? java.util.Base64.getMimeEncoder() : java.util.Base64.getEncoder();
    }

    /** Returns bytes as characters of ASCII. */
    public static byte[] encodeToByte(byte[] sArr, boolean lineSep) {
        return encoder(lineSep).encode(sArr);
    }

    /** Returns some bytes of an array as characters of ASCII. */
    public static byte[] encodeToByte(byte[] sArr, int sOff, int sLen, boolean lineSep) {
        return encodeToByte(Arrays.copyOfRange(sArr, sOff, sOff + sLen), lineSep);
    }

    /** Returns bytes as characters. */
    public static char[] encodeToChar(byte[] sArr, boolean lineSep) {
        return encodeToString(sArr, lineSep).toCharArray();
    }

    /** Returns bytes as a text. */
    public static String encodeToString(byte[] sArr, boolean lineSep) {
        return encoder(lineSep).encodeToString(sArr);
    }

    /** Returns the bytes that characters of ASCII stand for. */
    public static byte[] decode(byte[] sArr) {
        return DECODER.decode(sArr);
    }

    /** Returns the bytes that some characters of ASCII stand for. */
    public static byte[] decode(byte[] sArr, int sOff, int sLen) {
        return DECODER.decode(Arrays.copyOfRange(sArr, sOff, sOff + sLen));
    }

    /** Returns the bytes that characters stand for. */
    public static byte[] decode(char[] sArr) {
        return decode(new String(sArr));
    }

    /** Returns the bytes that a text stands for. */
    public static byte[] decode(String str) {
        return DECODER.decode(str.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** As {@link #decode(byte[])}. */
    public static byte[] decodeFast(byte[] sArr) {
        return decode(sArr);
    }

    /** As {@link #decode(char[])}. */
    public static byte[] decodeFast(char[] sArr) {
        return decode(sArr);
    }

    /** As {@link #decode(String)}. */
    public static byte[] decodeFast(String s) {
        return decode(s);
    }
}
