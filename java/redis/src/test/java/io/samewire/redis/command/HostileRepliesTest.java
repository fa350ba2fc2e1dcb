package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Replies that are well-formed and not what the command's replies are: of a newer server, of another one, of a liar.
 * A command reads each wholly, or fails with {@code type_mismatch} and what was expected; it never takes an element of
 * what is around a value for a part of it.
 */
class HostileRepliesTest {
    /** As clients have it. */
    private static final Limits LIMITS = Limits.DEFAULT.withDepth(1024);
    private static final String DEEP = "*1\r\n".repeat(100) + "_\r\n";
    private static final List<String> ELEMENTS = List.of("_\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "%0\r\n", "~0\r\n",
        ":0\r\n", ":-9223372036854775808\r\n", ":9223372036854775807\r\n", ",nan\r\n", ",-inf\r\n", "#t\r\n",
        "(99999999999999999999\r\n", "$0\r\n\r\n", "$3\r\nabc\r\n", "$3\r\n,,,\r\n", "$1\r\n[\r\n", "=5\r\ntxt:a\r\n",
        "-ERR no\r\n", "*1\r\n:1\r\n", "%1\r\n_\r\n_\r\n", "%1\r\n+x\r\n*1\r\n:1\r\n", DEEP);

    @Test
    void repliesThatDifferInOneElementAreReadWhollyOrRefused() {
        List<Recorded.Given> given = Stream.of(Recorded.by(() -> new BloomFamilyTest().readsEveryRecordedReply()),
            Recorded.by(() -> new JsonTest().readsEveryRecordedReply()),
            Recorded.by(() -> new SearchTest().readsEveryRecordedReply()),
            Recorded.by(() -> new TimeSeriesTest().readsEveryRecordedReply())).flatMap(List::stream).toList();
        Map<String, String> wrong = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (Recorded.Given one : given) {
            String reply = new String(one.reply(), StandardCharsets.ISO_8859_1);
            if (!seen.add(one.command().name() + reply)) {
                continue;
            }
            for (Element element : Element.all(reply)) {
                for (String other : ELEMENTS) {
                    judge(one.command(), element.replaced(other), wrong);
                }
                element.shorter().forEach(shorter -> judge(one.command(), shorter, wrong));
                element.longer().forEach(longer -> judge(one.command(), longer, wrong));
            }
        }
        assertTrue(given.size() > 400, () -> given.size() + " replies");
        assertEquals(Map.of(), wrong);
    }

    @Test
    void attributesChangeNothing() {
        for (Recorded.Given one : Recorded.by(() -> new SearchTest().readsEveryRecordedReply())) {
            Object value = one.command().read(Recorded.reader(one.reply()));
            String reply = new String(one.reply(), StandardCharsets.ISO_8859_1);
            for (Element element : Element.all(reply)) {
                String more = element.replaced("|1\r\n+ttl\r\n|1\r\n+a\r\n*0\r\n:1\r\n" + element.text());
                assertEquals(String.valueOf(value), String.valueOf(one.command().read(reader(more))), more);
            }
        }
    }

    @Test
    void everyCommandRefusesWhatItCannotRead() throws ReflectiveOperationException {
        List<String> replies = new ArrayList<>();
        for (String element : ELEMENTS) {
            Stream.of("", "*1\r\n", "*2\r\n*0\r\n", "*1\r\n*1\r\n*1\r\n").map(head -> head + element)
                .forEach(replies::add);
            for (int count = 1; count < 6; count++) {
                replies.add("*" + count + "\r\n" + element.repeat(count));
                replies.add("%" + count + "\r\n" + element.repeat(2 * count));
                replies.add("*1\r\n*" + count + "\r\n" + element.repeat(count));
                replies.add("*1\r\n%" + count + "\r\n" + element.repeat(2 * count));
            }
        }
        Map<String, String> wrong = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (EveryCommandTest.Given given : EveryCommandTest.calls()) {
            if (seen.add(given.command().getClass() + given.command().toString())) {
                replies.forEach(reply -> judge(given.command(), reply, wrong));
            }
        }
        assertEquals(Map.of(), wrong);
    }

    private static ReplyReader reader(String reply) {
        byte[] bytes = reply.getBytes(StandardCharsets.ISO_8859_1);
        return new ReplyReader(LIMITS, Utf8.STRICT).reset(bytes, 0, bytes.length);
    }

    private static void judge(Command<?> command, String reply, Map<String, String> wrong) {
        String what;
        try {
            ReplyReader in = reader(reply);
            command.read(in);
            what = in.isDone() ? null : "left a part of the reply";
        } catch (RedisException refused) {
            what = null;
        } catch (SamewireException refused) {
            boolean told = refused.code() == Code.TYPE_MISMATCH && refused.getMessage().contains("expected ");
            what = told ? null : refused.toString();
        } catch (RuntimeException | StackOverflowError uncoded) {
            what = uncoded.toString();
        }
        if (what != null) {
            wrong.putIfAbsent(command.name() + ": " + what, reply.substring(0, Math.min(reply.length(), 300)));
        }
    }

    private static void refused(Command<?> command, String reply, String expected) {
        SamewireException refused = assertThrows(SamewireException.class, () -> command.read(reader(reply)));
        assertEquals(Code.TYPE_MISMATCH, refused.code());
        assertTrue(refused.getMessage().contains(expected), refused::getMessage);
        assertTrue(refused.getMessage().length() < 300, refused::getMessage);
    }

    @Test
    void aNullWithinAnAggregateDoesNotTakeWhatIsBehindIt() {
        refused(TimeSeries.tsRange("key", TimeBound.FIRST, TimeBound.LAST), "*3\r\n*-1\r\n:1\r\n:2\r\n",
            "expected an array of 2 elements, the server replied null");
        refused(Search.ftAggregate("index", "*"), "*2\r\n*-1\r\n:0\r\n", "expected an array of 1 element");
        refused(Bloom.bfInfo("key"), "_\r\n", "expected a map, the server replied null");
        refused(Hashes.hgetall("key"), "*3\r\n+a\r\n+b\r\n+c\r\n",
            "expected a map, keys and values in turn, and the reply has 3 elements");
    }

    @Test
    void aSearchWithoutItsResultsIsNotAnEmptyOne() {
        refused(Search.ftSearch("index", "*"), "%1\r\n+total_results\r\n:3\r\n", "expected total_results and results");
        refused(Search.ftAggregate("index", "*"), "%1\r\n+total_results\r\n:3\r\n", "expected results");
        refused(Search.ftSearch("index", "*"), "%2\r\n+total_results\r\n:1\r\n+results\r\n*1\r\n%0\r\n",
            "expected a document with an id");
    }

    @Test
    void numbersOfJsonAreThoseOfJson() {
        String commas = ",".repeat(1_000_000);
        for (String text : List.of("NaN", "[1,NaN]", "1d", "0x1p3", "Infinity", "1e999", "[1,]", "[,1]", "[", commas)) {
            refused(Json.jsonNumincrby("key", "$", 1), "$" + text.length() + "\r\n" + text + "\r\n",
                "expected a number of JSON");
        }
    }

    @Test
    void rowsHaveTheNumbersOfTheServer() {
        AggregateResult found = Search.ftAggregate("index", "*").read(reader(
            "*2\r\n:1\r\n*8\r\n+a\r\n+nan\r\n+b\r\n+-inf\r\n+c\r\n+inf\r\n+d\r\n*3\r\n+x\r\n_\r\n+y\r\n"));
        Map<String, RowValue> row = found.rows().get(0);
        assertEquals(Double.NaN, row.get("a").number());
        assertEquals(Double.NEGATIVE_INFINITY, row.get("b").number());
        assertEquals(Double.POSITIVE_INFINITY, row.get("c").number());
        assertEquals(List.of("x", "y"), row.get("d").texts());
    }

    @Test
    void optionsOfANewerServerAreNotInTheWay() {
        IndexInfo found = Search.ftInfo("index").read(reader("%1\r\n+attributes\r\n*1\r\n%3\r\n+identifier\r\n+a\r\n"
            + "+type\r\n+TEXT\r\n+newer\r\n%1\r\n+x\r\n*1\r\n:1\r\n"));
        assertEquals(List.of(new IndexInfo.Attribute("a", "", "TEXT", Map.of(), List.of())), found.fields());
        refused(Search.ftInfo("index"), "%1\r\n+num_docs\r\n,inf\r\n", "expected a count");
    }

    /** One element of a reply, which has no texts in chunks: {@code text[from, to)}. */
    private record Element(String reply, int from, int to, List<Integer> elements) {
        private static final Set<Character> AGGREGATES = Set.of('*', '%', '~');

        static List<Element> all(String reply) {
            List<Element> found = new ArrayList<>();
            collect(reply, 0, found);
            return found;
        }

        private static int collect(String reply, int from, List<Element> found) {
            int line = reply.indexOf("\r\n", from) + 2;
            char type = reply.charAt(from);
            List<Integer> elements = new ArrayList<>();
            int to = line;
            if (type == '$' || type == '=' || type == '!') {
                int length = Integer.parseInt(reply.substring(from + 1, line - 2));
                to = length < 0 ? line : line + length + 2;
            } else if (AGGREGATES.contains(type)) {
                int count = Integer.parseInt(reply.substring(from + 1, line - 2));
                for (int i = type == '%' ? 2 * count : count; i > 0; i--) {
                    elements.add(to);
                    to = collect(reply, to, found);
                }
            }
            found.add(new Element(reply, from, to, elements));
            return to;
        }

        String text() {
            return reply.substring(from, to);
        }

        String replaced(String other) {
            return reply.substring(0, from) + other + reply.substring(to);
        }

        private String of(int entries, String contents) {
            return replaced(reply.charAt(from) + Integer.toString(entries) + "\r\n" + contents);
        }

        private int arity() {
            return reply.charAt(from) == '%' ? 2 : 1;
        }

        /** Without the last entry, and with the first one alone. */
        List<String> shorter() {
            int arity = arity();
            int entries = elements.size() / arity;
            if (entries < 2) {
                return List.of();
            }
            int first = elements.get(0);
            return List.of(of(entries - 1, reply.substring(first, elements.get((entries - 1) * arity))),
                of(1, reply.substring(first, elements.get(arity))));
        }

        /** With one more entry at the end, and with two. */
        List<String> longer() {
            if (elements.isEmpty()) {
                return List.of();
            }
            int arity = arity();
            String same = reply.substring(elements.get(0), to);
            String more = arity == 2 ? "+newer\r\n*1\r\n:1\r\n" : "*1\r\n:1\r\n";
            int entries = elements.size() / arity;
            String text = arity == 2 ? "+x\r\n+y\r\n" : "+y\r\n";
            return List.of(of(entries + 1, same + more), of(entries + 1, same + text),
                of(entries + 2, same + more + more));
        }
    }
}
