package io.samewire.bench.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One workload: a reply and the value that it stands for, a command and its words, a text alone, or calls of a client.
 *
 * @param kind what it is
 * @param value a String, a Long, or a List of these, of Lists or of null; of a command its words
 * @param wire its bytes in RESP, or the text's own
 */
record Shape(String name, Kind kind, Object value, byte[] wire) {
    enum Kind {
        SIMPLE,
        ERROR,
        INTEGER,
        BULK,
        /** Bulk strings. */
        TEXTS,
        /** Bulk strings that are numbers, some of them null. */
        NUMBERS,
        /** Arrays of these. */
        TABLE,
        /** A bulk string and an integer in turn. */
        PAIRS,
        COMMAND,
        TEXT,
        /** One GET on a server, whose reply is waited for. */
        ROUND_TRIP,
        /** SETs that are sent together. */
        PIPELINE,
        /** GETs of many callers on one connection. */
        CALLERS;

        /** Whether a server of its own is needed. */
        boolean isServed() {
            return compareTo(ROUND_TRIP) >= 0;
        }
    }

    static final String CRLF = "\r\n";
    /** What the server has under {@link #KEY}, as the driver has put it there. */
    static final String STORED = "abc";
    static final String KEY = "key";
    static final int PIPELINED = 1000;
    private static final int LONG = 2000;
    private static final int ROW = 40;
    private static final String LARGE_NAME = "-64M";
    private static final int LARGE = 64_000;
    private static final int LARGE_TEXT = 1000;
    private static final Map<String, Supplier<Shape>> ALL = new LinkedHashMap<>();

    static {
        add("simple", Kind.SIMPLE, "OK", "+OK" + CRLF);
        add("error", Kind.ERROR, "runtime problem", "-runtime problem" + CRLF);
        add("integer", Kind.INTEGER, 42L, ":42" + CRLF);
        text("bulk", "a".repeat(LONG));
        text("latin1", "aé".repeat(LONG / 2));
        text("emoji", "abc🎉ö€ def ".repeat(LONG / 11).substring(0, LONG - 20));
        text("bulk-short", "value:1234");
        texts("array-100", 100);
        texts("array-600", 600);
        List<Long> row = new ArrayList<>();
        for (long i = 0; i < ROW; i++) {
            row.add(i * 1_000_003 % 100_000);
        }
        List<Long> nils = new ArrayList<>(row);
        for (int i = 0; i < ROW; i += 2) {
            nils.set(i, null);
        }
        add("numbers-40", Kind.NUMBERS, row, numbers(row));
        add("nils-40", Kind.NUMBERS, nils, numbers(nils));
        add("table-20x40", Kind.TABLE, Collections.nCopies(20, row), "*20" + CRLF + numbers(row).repeat(20));
        List<Object> pairs = new ArrayList<>();
        StringBuilder wire = new StringBuilder("*80" + CRLF);
        for (long i = 0; i < ROW; i++) {
            pairs.add("field" + i);
            pairs.add(i * i);
            wire.append(bulk("field" + i)).append(':').append(i * i).append(CRLF);
        }
        add("pairs-80", Kind.PAIRS, pairs, wire.toString());
        command("get", "GET", "user:1000:name");
        command("set", "SET", "user:1000:name", "a".repeat(LONG));
        command("set-latin1", "SET", "user:1000:name", "aé".repeat(LONG / 2));
        String[] words = new String[601];
        Arrays.setAll(words, i -> i == 0 ? "DEL" : Integer.toString(99 + i));
        command("args-600", words);
        add("utf8-ok", Kind.TEXT, "OK", "OK");
        add("utf8-2000", Kind.TEXT, "a".repeat(LONG), "a".repeat(LONG));
        add("round-trip", Kind.ROUND_TRIP, STORED, "");
        add("pipeline-1000", Kind.PIPELINE, Collections.nCopies(PIPELINED, "OK"), "");
        add("callers-1000", Kind.CALLERS, (long) Callers.AT_ONCE * Callers.CALLS, "");
        ALL.put("whole-64M", () -> large("whole-64M"));
        ALL.put("pieces-64M", () -> large("pieces-64M"));
    }

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    static Shape of(String name) {
        return ALL.get(name).get();
    }

    private static void add(String name, Kind kind, Object value, String wire) {
        ALL.put(name, () -> new Shape(name, kind, value, wire.getBytes(StandardCharsets.UTF_8)));
    }

    /** The workload without its data if these are large: what can be asked of a peer before it is measured. */
    static Shape outline(String name) {
        return name.endsWith(LARGE_NAME) ? new Shape(name, Kind.TEXTS, List.of(), new byte[0]) : of(name);
    }

    private static Shape large(String name) {
        String text = "a".repeat(LARGE_TEXT);
        byte[] wire = ("*" + LARGE + CRLF + bulk(text).repeat(LARGE)).getBytes(StandardCharsets.UTF_8);
        return new Shape(name, Kind.TEXTS, Collections.nCopies(LARGE, text), wire);
    }

    /** Whether it comes in pieces, so that its end is looked for each time. */
    boolean isLarge() {
        return name.endsWith(LARGE_NAME);
    }

    /** The bytes that are there after each piece. */
    int piece() {
        return name.startsWith("pieces") ? 1000 : wire.length;
    }

    private static void text(String name, String text) {
        add(name, Kind.BULK, text, bulk(text));
    }

    private static String bulk(String text) {
        return "$" + text.getBytes(StandardCharsets.UTF_8).length + CRLF + text + CRLF;
    }

    private static void texts(String name, int count) {
        List<String> texts = new ArrayList<>();
        StringBuilder wire = new StringBuilder("*" + count + CRLF);
        for (int i = 0; i < count; i++) {
            texts.add(Integer.toString(100 + i));
            wire.append(bulk(texts.get(i)));
        }
        add(name, Kind.TEXTS, texts, wire.toString());
    }

    private static String numbers(List<Long> row) {
        StringBuilder wire = new StringBuilder("*" + row.size() + CRLF);
        row.forEach(number -> wire.append(number == null ? "$-1" + CRLF : bulk(number.toString())));
        return wire.toString();
    }

    private static void command(String name, String... words) {
        StringBuilder wire = new StringBuilder("*" + words.length + CRLF);
        for (String word : words) {
            wire.append(bulk(word));
        }
        add(name, Kind.COMMAND, List.of(words), wire.toString());
    }

    /** How many commands one operation on a server sends. */
    int count() {
        return switch (kind) {
            case PIPELINE -> PIPELINED;
            case CALLERS -> Callers.AT_ONCE * Callers.CALLS;
            default -> 1;
        };
    }

    String text() {
        return (String) value;
    }

    @SuppressWarnings("unchecked") // Of a command, and of texts.
    List<String> words() {
        return (List<String>) value;
    }
}
