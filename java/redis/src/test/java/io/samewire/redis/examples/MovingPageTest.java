package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/moving/jedis-lettuce.md} shows nothing of ours that these tests do not run. */
class MovingPageTest {
    private static final Path ROOT = Path.of(System.getProperty("samewire.root", "../.."));
    private static final Pattern LAST_CELL = Pattern.compile("^\\|.*\\| `([^`]*)` \\|$", Pattern.MULTILINE);
    /** It takes sentinels: RedisSentinelTest runs it. */
    private static final String ELSEWHERE = "RedisSentinel.connect(uris).master(\"name\")";

    /** Without white space: lines are broken differently there and here. */
    private static String dense(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void quotesOnlyWhatRuns() throws IOException {
        StringBuilder sources = new StringBuilder();
        Path folder = ROOT.resolve("java/redis/src/test/java/io/samewire/redis/examples");
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(name -> !name.endsWith("MovingPageTest.java")).toList()) {
                sources.append(dense(Files.readString(file)));
            }
        }
        List<String> missing = new ArrayList<>();
        int rows = 0;
        Matcher row = LAST_CELL.matcher(Files.readString(ROOT.resolve("docs/moving/jedis-lettuce.md")));
        for (; row.find(); rows++) {
            if (sources.indexOf(dense(row.group(1))) < 0 && !row.group(1).equals(ELSEWHERE)) {
                missing.add(row.group(1));
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(rows > 40, "the tables have only " + rows + " rows");
    }
}
