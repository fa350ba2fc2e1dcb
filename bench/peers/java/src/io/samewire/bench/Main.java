package io.samewire.bench;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code Main list} names the peers; {@code Main PEER WORKLOAD --warm S --samples N --sample S} times one of them on one shape; with no samples, only
 * what a process pays once.
 *
 * <p>Output is one JSON object a line: the data's digest, the encoded bytes, then a cost for each operation.
 */
public final class Main {
    /** A peer's class and the variant that its constructor takes, beside the shape; only that class is loaded. */
    private static final Map<String, String> PEERS =
        Map.of(
            "samewire-compact", "Samewire.compact",
            "samewire-fast", "Samewire.fast",
            "fory", "Fory.records",
            "boopickle-size", "BooPickle.size",
            "boopickle-speed", "BooPickle.speed",
            "kryo", "Kryo.records");

    private static final Set<String> WITHOUT_TEXT = Set.of("event", "ints", "doubles");

    private Main() {}

    /** See the class. */
    public static void main(String[] arguments) {
        if (arguments[0].equals("list")) {
            String shapes = quoted(Reference.SHAPES).toList().toString();
            List<String> peers = quoted(PEERS.keySet()).map(name -> name + ": {\"workloads\": " + shapes + "}").toList();
            System.out.println("{\"peers\": {" + String.join(", ", peers) + "}}");
            return;
        }
        String shape = arguments[1];
        Timing.Plan plan =
                new Timing.Plan(
                        flag(arguments, "--warm", 1.5), (int) flag(arguments, "--samples", 5), flag(arguments, "--sample", 0.05));
        Object neutral = Reference.make(shape);
        System.out.println("{\"digest\": \"" + Reference.digest(neutral) + "\"}");
        if (plan.samples() > 0) {
            report(start(arguments[0], shape, neutral), neutral, shape, plan);
        } else {
            String other = shape.equals("event") ? "ints" : "event";
            Object otherNeutral = Reference.make(other);
            System.out.println(Timing.once(() -> start(arguments[0], other, otherNeutral)).line("load"));
            System.out.println(Timing.once(() -> start(arguments[0], shape, neutral)).line("first"));
        }
    }

    private static double flag(String[] arguments, String name, double otherwise) {
        int at = Arrays.asList(arguments).indexOf(name);
        return at < 0 ? otherwise : Double.parseDouble(arguments[at + 1]);
    }

    private static Stream<String> quoted(Collection<String> names) {
        return names.stream().sorted().map(name -> '"' + name + '"');
    }

    /** Prepares the peer and makes it encode and decode once. */
    private static Peer start(String name, String shape, Object neutral) {
        String[] parts = PEERS.get(name).split("\\.");
        try {
            Class<?> type = Class.forName("io.samewire.bench.With" + parts[0]);
            Peer peer = (Peer) type.getConstructor(String.class, String.class).newInstance(parts[1], shape);
            peer.decode(peer.encode(peer.adapt(neutral)));
            return peer;
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(name + " cannot be set up for " + shape, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no peer " + name, e);
        }
    }

    private static void report(Peer peer, Object neutral, String shape, Timing.Plan plan) {
        Object value = peer.adapt(neutral);
        byte[] data = peer.encode(value);
        System.out.println("{\"version\": \"" + peer.version() + "\", \"hex\": \"" + HexFormat.of().formatHex(data) + "\"}");
        if (!same(value, peer.decode(data))) {
            System.out.println("{\"wrong\": \"the decoded value differs from the encoded one\"}");
            return;
        }
        int length = peer.into(value);
        if (length != -1 && length != data.length) {
            System.out.println("{\"wrong\": \"encoding into a buffer gives another length\"}");
            return;
        }
        System.out.println(Timing.repeated(peer::encode, value, plan).line("encode"));
        if (length != -1) {
            System.out.println(Timing.repeated(peer::into, value, plan).line("into"));
        }
        if (!WITHOUT_TEXT.contains(shape)) {
            int copies = Math.max(1, 60_000 / data.length);
            System.out.println(Timing.fresh(peer::encode, () -> peer.adapt(Reference.renew(neutral)), copies, plan).line("fresh"));
        }
        System.out.println(Timing.repeated(bytes -> peer.decode((byte[]) bytes), data, plan).line("decode"));
    }

    private static boolean same(Object a, Object b) {
        return Arrays.deepEquals(new Object[] {a}, new Object[] {b});
    }
}
