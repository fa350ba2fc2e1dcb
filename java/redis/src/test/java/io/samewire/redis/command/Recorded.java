package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.samewire.core.Limits;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.Utf8;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * What a server with modules replied in both protocols, from {@code spec/redis/module_replies}: Redis Stack 7.4, asked
 * by redis-py. A command must send the recorded words, and read the same from either protocol's reply.
 */
final class Recorded {
    private static final Path FOLDER =
        Path.of(System.getProperty("samewire.root")).resolve("spec/redis/module_replies");

    /** One exchange: its words, its keys, and its reply in RESP2 and RESP3. */
    private record Row(List<String> words, List<String> keys, byte[] resp2, byte[] resp3) { }

    /** A command, and a reply that it has read. */
    record Given(Command<?> command, byte[] reply) { }

    private static final ThreadLocal<List<Given>> GIVEN = ThreadLocal.withInitial(ArrayList::new);

    /** The exchanges that no command has taken yet. */
    private final List<Row> left = new ArrayList<>();

    private Recorded() { }

    /** The commands of a test, each with the replies in both protocols that it reads meanwhile. */
    static List<Given> by(Runnable test) {
        GIVEN.get().clear();
        test.run();
        return List.copyOf(GIVEN.get());
    }

    /** The exchanges of a file. */
    static Recorded of(String group) {
        try {
            JsonNode file = new ObjectMapper().readTree(FOLDER.resolve(group + ".json").toFile());
            Recorded made = new Recorded();
            for (int i = 0; i < file.get("2").size(); i++) {
                JsonNode row = file.get("3").get(i);
                made.left.add(new Row(texts(row.get("words")), texts(row.get("keys")),
                    bytes(file.get("2").get(i)), bytes(row)));
            }
            return made;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).map(JsonNode::textValue).toList();
    }

    private static byte[] bytes(JsonNode row) {
        return row.get("reply").textValue().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The value of a command that sends the words of the next such exchange. */
    <T> T value(Command<T> command) {
        return read(command, take(Sent.words(command)));
    }

    /** The same for recorded words that have more than the command's: what redis-py adds. */
    <T> T value(Command<T> command, String... recorded) {
        return read(command, take(List.of(recorded)));
    }

    /** Fails unless the server refused the command. */
    void refused(Command<?> command) {
        Row row = take(Sent.words(command));
        for (byte[] reply : List.of(row.resp2, row.resp3)) {
            assertThrows(RedisException.class, () -> command.read(reader(reply)), command::toString);
        }
    }

    /** The words of the exchanges that no command has taken. */
    List<String> left() {
        return left.stream().map(row -> String.join(" ", row.words)).toList();
    }

    private Row take(List<String> words) {
        for (Row row : left) {
            if (same(words, row.words)) {
                left.remove(row);
                return row;
            }
        }
        throw new AssertionError("nobody has recorded " + words + "; left are " + left());
    }

    /** Whether words are equal to the server: those of the protocol in any case, numbers in any form. */
    private static boolean same(List<String> sent, List<String> recorded) {
        for (int i = 0; i < sent.size() && sent.size() == recorded.size(); i++) {
            String one = sent.get(i);
            String other = recorded.get(i);
            if (!one.equalsIgnoreCase(other) && !(number(one) == number(other))) {
                return false;
            }
        }
        return sent.size() == recorded.size();
    }

    private static double number(String word) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException none) {
            return Double.NaN;
        }
    }

    private static <T> T read(Command<T> command, Row row) {
        T old = read(command, row.resp2);
        T value = read(command, row.resp3);
        assertEquals(value, old, command + ": RESP2 and RESP3");
        if (!command.name().startsWith("FT.")) {
            List<String> keys = command.keys().stream().map(Bytes::toString).toList();
            assertTrue(keys.containsAll(row.keys), () -> command + " has keys " + keys + ", not " + row.keys);
        }
        return value;
    }

    private static <T> T read(Command<T> command, byte[] reply) {
        GIVEN.get().add(new Given(command, reply));
        ReplyReader in = reader(reply);
        T value = command.read(in);
        assertTrue(in.isDone(), () -> command + " has left a part of its reply");
        return value;
    }

    static ReplyReader reader(byte[] reply) {
        return new ReplyReader(Limits.DEFAULT, Utf8.STRICT).reset(reply, 0, reply.length);
    }
}
