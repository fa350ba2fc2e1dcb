package io.samewire.redis.command;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.Reply;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import io.samewire.redis.resp.Utf8;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A command as several nodes of a cluster run it: what each is sent, and how their replies become the one that the
 * command reads. The replies are put together as bytes, so that every way of reading a command's reply holds for it.
 *
 * @param <T> the type of the whole command's reply
 */
public final class Parts<T> {
    private static final byte[] NULL = {'$', '-', '1', '\r', '\n'};
    private static final byte[] OK = {'+', 'O', 'K', '\r', '\n'};

    /** What becomes of the parts' replies. */
    private enum Merge { SUM, OK, VALUES, LAST, UNION, ALL, SUMS }

    private final Command<T> whole;
    private final List<Command<Reply>> commands;
    /** Which keys of the whole each part has; null if the parts are equal. */
    private final List<List<Integer>> places;
    private final Merge merge;

    private Parts(Command<T> whole, List<Command<Reply>> commands, List<List<Integer>> places, Merge merge) {
        this.whole = whole;
        this.commands = commands;
        this.places = places;
        this.merge = merge;
    }

    /**
     * Splits a command by the slots of its keys: {@code DEL}, {@code EXISTS}, {@code MGET}, {@code MSET}, {@code TOUCH}
     * and {@code UNLINK}.
     *
     * @return the parts; null if the command is none of these, or its keys are in one slot
     */
    public static <T> Parts<T> bySlot(Command<T> command) {
        int step;
        Merge merge;
        switch (command.name()) {
            case "DEL", "EXISTS", "TOUCH", "UNLINK" -> {
                step = 1;
                merge = Merge.SUM;
            }
            case "MGET" -> {
                step = 1;
                merge = Merge.VALUES;
            }
            case "MSET" -> {
                step = 2;
                merge = Merge.OK;
            }
            default -> {
                return null;
            }
        }
        List<Object> words = command.arguments();
        Map<Integer, List<Integer>> slots = new LinkedHashMap<>();
        for (int place = 0; place * step + 1 < words.size(); place++) {
            int slot = KeySlot.of(text(words.get(1 + place * step)));
            slots.computeIfAbsent(slot, none -> new ArrayList<>()).add(place);
        }
        if (slots.size() < 2 || (words.size() - 1) % step != 0) {
            return null;
        }
        List<Command<Reply>> commands = new ArrayList<>();
        slots.values().forEach(places -> {
            List<Object> own = new ArrayList<>();
            places.forEach(place -> own.addAll(words.subList(1 + place * step, 1 + (place + 1) * step)));
            commands.add(new FixedCommand<>(command.facts, Reading.ANY, own.toArray()));
        });
        return new Parts<>(command, commands, List.copyOf(slots.values()), merge);
    }

    private static CharSequence text(Object word) {
        return word instanceof CharSequence text ? text : word.toString();
    }

    /**
     * Returns a command without keys as each of some nodes runs it.
     *
     * @throws SamewireException {@code misuse} if nothing is known to make one reply of several
     */
    public static <T> Parts<T> everywhere(Command<T> command, int nodes) {
        Merge merge = switch (command.name()) {
            case "DBSIZE", "PUBSUB NUMPAT" -> Merge.SUM;
            case "KEYS", "PUBSUB CHANNELS", "PUBSUB SHARDCHANNELS" -> Merge.UNION;
            case "PUBSUB NUMSUB", "PUBSUB SHARDNUMSUB" -> Merge.SUMS;
            case "SCRIPT EXISTS" -> Merge.ALL;
            case "FLUSHALL", "FLUSHDB", "SCRIPT FLUSH", "FUNCTION DELETE", "FUNCTION FLUSH", "FUNCTION RESTORE" ->
                Merge.OK;
            case "SCRIPT LOAD", "FUNCTION LOAD" -> Merge.LAST;
            default -> throw Words.misuse(command.name() + " has a reply of each node's own: ask nodes by themselves,"
                + " with RedisCluster.executeOn");
        };
        Command<Reply> part = new FixedCommand<>(command.facts, Reading.ANY, command.words);
        return new Parts<>(command, java.util.Collections.nCopies(nodes, part), null, merge);
    }

    /** Returns what is sent, each part to a node by itself. */
    public List<Command<Reply>> commands() {
        return commands;
    }

    /**
     * Returns the reply of the whole command.
     *
     * @param replies those of the parts, in their order
     * @param limits what the whole reply may be
     * @throws io.samewire.redis.resp.RedisException if one of them is an error
     * @throws SamewireException {@code type_mismatch} if one has another shape than the command's replies have
     */
    public T join(List<Reply> replies, Limits limits) {
        for (Reply reply : replies) {
            if (reply instanceof Reply.Error error) {
                throw error.exception();
            }
        }
        RequestWriter out = new RequestWriter();
        switch (merge) {
            case SUM -> integer(out, replies.stream().mapToLong(Parts::number).sum());
            case OK -> out.raw(OK);
            case VALUES -> values(out, replies);
            case LAST -> element(out, replies.get(replies.size() - 1));
            case UNION -> union(out, replies);
            case ALL -> all(out, replies);
            case SUMS -> sums(out, replies);
        }
        return whole.read(new ReplyReader(limits, Utf8.STRICT).reset(out.array(), 0, out.length()));
    }

    private static void integer(RequestWriter out, long value) {
        out.raw((":" + value + "\r\n").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    private static long number(Reply reply) {
        if (reply instanceof Reply.Integer integer) {
            return integer.value();
        }
        throw mismatch("an integer", reply);
    }

    private static List<Reply> elements(Reply reply) {
        if (reply instanceof Reply.Array array) {
            return array.elements();
        }
        throw mismatch("an array", reply);
    }

    private static void element(RequestWriter out, Reply reply) {
        if (reply instanceof Reply.Text text) {
            out.word(text.bytes());
        } else if (reply instanceof Reply.Null) {
            out.raw(NULL);
        } else {
            throw mismatch("a text", reply);
        }
    }

    private void values(RequestWriter out, List<Reply> replies) {
        Reply[] found = new Reply[places.stream().mapToInt(List::size).sum()];
        for (int i = 0; i < replies.size(); i++) {
            List<Reply> values = elements(replies.get(i));
            List<Integer> own = places.get(i);
            if (values.size() != own.size()) {
                throw mismatch(own.size() + " values", replies.get(i));
            }
            for (int j = 0; j < own.size(); j++) {
                found[own.get(j)] = values.get(j);
            }
        }
        out.begin(found.length);
        for (Reply value : found) {
            element(out, value);
        }
    }

    private static void union(RequestWriter out, List<Reply> replies) {
        Map<Bytes, Reply> found = new LinkedHashMap<>();
        replies.forEach(reply -> elements(reply).forEach(value -> found.putIfAbsent(name(value), value)));
        out.begin(found.size());
        found.values().forEach(value -> element(out, value));
    }

    private static Bytes name(Reply reply) {
        if (reply instanceof Reply.Text text) {
            return Bytes.wrap(text.bytes());
        }
        throw mismatch("a text", reply);
    }

    private static void all(RequestWriter out, List<Reply> replies) {
        List<Reply> first = elements(replies.get(0));
        out.begin(first.size());
        for (int i = 0; i < first.size(); i++) {
            int at = i;
            integer(out, replies.stream().mapToLong(reply -> number(elements(reply).get(at))).min().orElse(0));
        }
    }

    private static void sums(RequestWriter out, List<Reply> replies) {
        Map<Bytes, Long> found = new LinkedHashMap<>();
        for (Reply reply : replies) {
            List<Reply> pairs = reply instanceof Reply.Map map ? map.elements() : elements(reply);
            for (int i = 0; i + 1 < pairs.size(); i += 2) {
                found.merge(name(pairs.get(i)), number(pairs.get(i + 1)), Long::sum);
            }
        }
        out.begin(found.size() * 2);
        found.forEach((name, sum) -> {
            out.word(name.array());
            integer(out, sum);
        });
    }

    private static SamewireException mismatch(String expected, Reply came) {
        return new SamewireException(Code.TYPE_MISMATCH, -1, null, "expected " + expected + " of each node, one"
            + " replied " + came);
    }
}
