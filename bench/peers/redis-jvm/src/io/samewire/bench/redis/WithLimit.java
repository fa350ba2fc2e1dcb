package io.samewire.bench.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The least code that does the job on one array: lengths are trusted, nothing is checked, a reply comes in one piece. */
final class WithLimit implements Library {
    private byte[] buffer = new byte[1 << 16];
    private int at;

    @Override
    public String about() {
        return "nothing";
    }

    @Override
    public Class<?> from() {
        return String.class;
    }

    @Override
    public boolean isLimit() {
        return true;
    }

    /** Reads a number and goes behind its line. */
    private long number(byte[] wire) {
        long value = 0;
        int i = at;
        for (byte b = wire[i]; b != '\r'; b = wire[++i]) {
            value = value * 10 + b - '0';
        }
        at = i + 2;
        return value;
    }

    private String line(byte[] wire) {
        int end = 1;
        while (wire[end] != '\r') {
            end++;
        }
        return new String(wire, 1, end - 1, StandardCharsets.UTF_8);
    }

    private String bulk(byte[] wire) {
        at++;
        int length = (int) number(wire);
        String text = new String(wire, at, length, StandardCharsets.UTF_8);
        at += length + 2;
        return text;
    }

    private Long bulkNumber(byte[] wire) {
        if (wire[++at] == '-') {
            at += 4;
            return null;
        }
        number(wire);
        return number(wire);
    }

    private List<Long> numbers(byte[] wire) {
        at++;
        int count = (int) number(wire);
        List<Long> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(bulkNumber(wire));
        }
        return numbers;
    }

    @Override
    public Supplier<Object> decode(Shape shape) {
        if (shape.isLarge()) {
            return null;
        }
        byte[] wire = shape.wire();
        return switch (shape.kind()) {
            case SIMPLE, ERROR -> () -> line(wire);
            case INTEGER -> () -> {
                at = 1;
                return number(wire);
            };
            case BULK -> () -> {
                at = 0;
                return bulk(wire);
            };
            case TEXTS -> () -> {
                at = 1;
                int count = (int) number(wire);
                List<String> texts = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    texts.add(bulk(wire));
                }
                return texts;
            };
            case NUMBERS -> () -> {
                at = 0;
                return numbers(wire);
            };
            case TABLE -> () -> {
                at = 1;
                int count = (int) number(wire);
                List<List<Long>> rows = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    rows.add(numbers(wire));
                }
                return rows;
            };
            case PAIRS -> () -> {
                at = 1;
                int count = (int) number(wire);
                List<Object> pairs = new ArrayList<>(count);
                for (int i = 0; i < count; i += 2) {
                    pairs.add(bulk(wire));
                    at++;
                    pairs.add(number(wire));
                }
                return pairs;
            };
            default -> null;
        };
    }

    private void head(char type, int number) {
        buffer[at++] = (byte) type;
        int digits = number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4;
        int rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            buffer[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        at += digits;
        end();
    }

    private void end() {
        buffer[at++] = '\r';
        buffer[at++] = '\n';
    }

    private void word(String word) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        head('$', bytes.length);
        System.arraycopy(bytes, 0, buffer, at, bytes.length);
        at += bytes.length;
        end();
    }

    @Override
    public Supplier<Object> encode(Shape shape) {
        if (shape.kind() == Shape.Kind.BULK) {
            String text = shape.text();
            return () -> {
                at = 0;
                word(text);
                return buffer;
            };
        } else if (shape.kind() != Shape.Kind.COMMAND) {
            return null;
        }
        String[] words = shape.words().toArray(String[]::new);
        return () -> {
            at = 0;
            head('*', words.length);
            for (String word : words) {
                word(word);
            }
            return buffer;
        };
    }

    @Override
    public byte[] written() {
        return java.util.Arrays.copyOf(buffer, at);
    }
}
