package io.samewire.redis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.pack.Nullable;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Strings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line on a real server. */
@Timeout(180)
class MainTest extends OnOneServer {
    record Book(String name, int year, @Nullable String author, double[] marks, BigDecimal price, byte[] cover,
        Map<Long, String> numbers) { }

    /** What a run of the program left. */
    private record Run(int code, String out, String err) { }

    private static Run run(String in, String... given) {
        List<Bytes> words = Stream.of(given).map(Bytes::of).toList();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(words, server.uri(), new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void takesAServerInParts() {
        assertEquals(new Run(0, "OK\n", ""), run("", "-h", "127.0.0.1", "-p", String.valueOf(server.port()), "-n", "3",
            "SET", "there", "1"));
        assertEquals(new Run(0, "1\n", ""), run("", "-u", server.uri() + "/3", "GET", "there"));
        assertEquals("rediss://bob:a%2Fb%20c@[::1]:6379/0",
            parts("--tls", "-h", "::1", "--user", "bob", "-a", "a/b c"));
        assertEquals("redis://:secret@127.0.0.1:6379/0", parts("-a", "secret"));
        assertEquals(2, run("", "-u", server.uri(), "-p", "1", "PING").code());
        assertTrue(run("", server.uri(), "PING").err().contains("it goes behind -u"));
    }

    private static String parts(String... given) {
        try {
            return Arguments.of(List.of(given), null).uri();
        } catch (Usage wrong) {
            throw new AssertionError(wrong);
        }
    }

    @Test
    void runsACommand() {
        assertEquals(new Run(0, "OK\n", ""), run("", "SET", "k", "Straße 😀"));
        assertEquals(new Run(0, "Straße 😀\n", ""), run("", "GET", "k"));
        assertEquals(new Run(0, "(nil)\n", ""), run("", "-u", server.uri(), "get", "none"));
        assertEquals(new Run(0, "2\n", ""), run("", "rpush", "list", "a", "b"));
        assertEquals(new Run(0, "1) a\n2) b\n", ""), run("", "lrange", "list", "0", "-1"));
        assertEquals(new Run(0, "(empty)\n", ""), run("", "keys", "none*"));
        assertEquals(new Run(0, "1) 1) 1\n   2) 2\n2) x\n", ""), run("", "EVAL", "return {{1, 2}, 'x'}", "0"));
        run("", "HSET", "h", "f", "v", "g", "w");
        assertEquals(new Run(0, "f: v\ng: w\n", ""), run("", "HGETALL", "h"));
        assertTrue(run("", "CLIENT", "LIST").out().startsWith("id="));
    }

    @Test
    void runsAScript(@TempDir Path folder) throws IOException {
        String script = """
            # a comment

            SET a 1
            incr a
            SET "with blank" 'it\\'s "x"\\n'
            GET "with blank"
            SET bytes "\\xff\\x00A\\n\\"\\\\"
            GET bytes
            """;
        String shown = "OK\n2\nOK\nit's \"x\"\\n\nOK\n\"\\xff\\x00A\\x0a\\\"\\\\\"\n";
        assertEquals(new Run(0, shown, ""), run(script));
        Path file = Files.writeString(folder.resolve("script"), "GET a\n");
        assertEquals(new Run(0, "2\n", ""), run("", "-f", file.toString()));
        Path none = folder.resolve("none");
        assertEquals(new Run(2, "", "samewire-redis: cannot read the script: " + none + ": no such file\n"),
            run("", "-f", none.toString()));
        assertEquals(new Run(2, "", "samewire-redis: cannot read the script: Is a directory\n"),
            run("", "-f", folder.toString()));
    }

    @Test
    void endsAtAnErrorUnlessItIsToGoOn() {
        String script = "SET a x\nINCR a\nGET a\n";
        assertEquals(new Run(1, "OK\n", "(error) ERR value is not an integer or out of range\n"), run(script));
        assertEquals(new Run(1, "OK\nx\n", "(error) ERR value is not an integer or out of range\n"),
            run(script, "--go-on"));
    }

    @Test
    void exitCodesTellWhoIsAtFault() {
        assertEquals(1, run("", "NOSUCH").code());
        assertEquals(2, run("", "--no-such").code());
        assertEquals(2, run("", "-u").code());
        assertEquals(2, run("", "-u", "http://x", "PING").code());
        assertEquals(2, run("", "-f", "x", "PING").code());
        assertEquals(new Run(2, "", "samewire-redis: line 1: a quote is not closed; --help says what there is\n"),
            run("GET \"a\n"));
        assertEquals(2, run("GET \"a\"b\n").code());
        Run refused = run("", "SELECT", "1");
        assertEquals(2, refused.code());
        assertTrue(refused.err().contains("SELECT changes the connection"), refused.err());
        assertEquals(3, run("", "-u", "redis://127.0.0.1:1", "PING").code());
    }

    @Test
    void helpsAndShowsWhatItTakes() {
        Run help = run("", "--help");
        assertEquals(0, help.code());
        for (String option : List.of("--uri", "--file", "--go-on", "--json", "--raw", "--schemas", "REDIS_URL")) {
            assertTrue(help.out().contains(option), option);
        }
    }

    @Test
    void showsValuesOfPack() {
        Book carrie = new Book("Carrie", 1974, null, new double[] {1.5, Double.NaN}, new BigDecimal("9.90"),
            new byte[] {1, 2}, Map.of(7L, "x"));
        client.typed(Book.class).hash("shelf").put("a", carrie);
        String json = "{\"cover\": {\"base64\": \"AQI=\"}, \"marks\": [1.5, \"NaN\"], \"name\": \"Carrie\", "
            + "\"year\": 1974}";
        record Small(byte[] cover, double[] marks, String name, int year) { }
        client.store(Small.class, "book:").put("1", new Small(new byte[] {1, 2}, carrie.marks(), "Carrie", 1974));
        assertEquals(new Run(0, json + "\n", ""), run("", "GET", "book:1"));
        assertEquals(new Run(0, "[" + json + ", null]\n", ""), run("", "--json", "MGET", "book:1", "none"));
        assertEquals(new Run(0, "{\"a\": {\"name\": \"Carrie\", \"year\": 1974, \"author\": null, \"marks\": "
            + "[1.5, \"NaN\"], \"price\": \"9.90\", \"cover\": {\"base64\": \"AQI=\"}, \"numbers\": [[7, \"x\"]]}}\n",
            ""), run("", "--json", "HGETALL", "shelf"));
        assertTrue(run("", "--raw", "GET", "book:1").out().contains("\\x"));
        assertTrue(run("", "--schemas", "other:", "GET", "book:1").out().contains("\\x"));
    }

    @Test
    void bytesThatOnlyLookLikeAValueAreShownAsTheyAre() {
        client.execute(Strings.set("text", "Programmers write"));
        assertEquals(new Run(0, "Programmers write\n", ""), run("", "GET", "text"));
        assertEquals(new Run(0, "\"Programmers write\"\n", ""), run("", "--json", "GET", "text"));
        client.store(long.class, "n:").put("1", 5L);
        client.execute(Strings.append("n:1", "x"));
        assertTrue(run("", "--json", "GET", "n:1").out().startsWith("{\"base64\": "));
    }

    @Test
    void writesJson() {
        assertEquals("[1, \"x\", null]\n", run("", "--json", "EVAL", "return {1, 'x', false}", "0").out());
        client.execute(Strings.set("k", Bytes.of("a\"\\\n\u0001")));
        assertEquals("\"a\\\"\\\\\\n\\u0001\"\n", run("", "--json", "GET", "k").out());
        assertEquals("2.5\n", run("", "--json", "ZADD", "z", "INCR", "2.5", "m").out());
    }
}
