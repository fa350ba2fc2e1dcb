package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.SamewireException;
import io.samewire.redis.resp.RequestWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a command sends. Words are given and returned with a character for each byte. */
final class Sent {
    /** The slot of a command whose keys are in several. */
    private static final int SEVERAL = -2;

    private static final ThreadLocal<List<Command<?>>> RECORDED = ThreadLocal.withInitial(ArrayList::new);

    private Sent() { }

    /** A test's method. */
    interface Body {
        void run() throws ReflectiveOperationException;
    }

    /** The commands that are given to {@link #sends} meanwhile. */
    static List<Command<?>> by(Body test) throws ReflectiveOperationException {
        RECORDED.get().clear();
        test.run();
        return List.copyOf(RECORDED.get());
    }

    /** Fails unless a command sends these words, and its keys are in this slot: -1 for none, -2 for several slots. */
    static void sends(Command<?> command, int slot, String... words) {
        RECORDED.get().add(command);
        assertEquals(List.of(words), words(command));
        if (slot == SEVERAL) {
            assertThrows(SamewireException.class, command::slot);
        } else {
            assertEquals(slot, command.slot(), command::toString);
        }
    }

    /** The words of the request. Its number of words must be right, and nothing may be behind them. */
    static List<String> words(Command<?> command) {
        RequestWriter out = new RequestWriter();
        command.write(out);
        String request = new String(out.toByteArray(), StandardCharsets.ISO_8859_1);
        List<String> found = new ArrayList<>();
        int[] at = {0};
        for (int count = length(request, at, '*'); count > 0; count--) {
            int length = length(request, at, '$');
            found.add(request.substring(at[0], at[0] + length));
            at[0] += length + 2;
        }
        assertEquals(request.length(), at[0]);
        return found;
    }

    private static int length(String request, int[] at, char type) {
        assertEquals(type, request.charAt(at[0]));
        int end = request.indexOf("\r\n", at[0]);
        int length = Integer.parseInt(request.substring(at[0] + 1, end));
        at[0] = end + 2;
        return length;
    }

    /** Bytes from hexadecimal digits. */
    static Bytes bytes(String hex) {
        return Bytes.of(HexFormat.of().parseHex(hex));
    }

    /** A map with its entries in this order. */
    static <K, V> Map<K, V> map(K key, V value) {
        Map<K, V> map = new LinkedHashMap<>();
        map.put(key, value);
        return map;
    }

    /** A map with its entries in this order. */
    static <K, V> Map<K, V> map(K key1, V value1, K key2, V value2) {
        Map<K, V> map = map(key1, value1);
        map.put(key2, value2);
        return map;
    }

    /** A map with its entries in this order. */
    static <K, V> Map<K, V> map(K key1, V value1, K key2, V value2, K key3, V value3) {
        Map<K, V> map = map(key1, value1, key2, value2);
        map.put(key3, value3);
        return map;
    }
}
