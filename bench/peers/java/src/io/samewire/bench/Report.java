package io.samewire.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;

/** What one process prints of one peer on one workload. */
record Report(Library library, Workload workload, Timing.Plan plan) {
    private static final Set<String> WITHOUT_TEXT = Set.of("event", "ints", "doubles");

    /** Messages that go through a pool to count its hits. */
    private static final int POOLED = 1_000;

    /** Verifies, then times every operation. */
    void run() throws RunnerException {
        Peer peer = library.open().apply(workload);
        Object value = value(peer, workload);
        byte[] data = peer.encode(value);
        Object back = peer.decode(data);
        System.out.println("{\"version\": " + Main.quoted(library.version()) + ", \"hex\": \"" + HexFormat.of().formatHex(data) + "\"}");
        if (!same(value, back)) {
            Main.line("wrong", "the decoded value differs from the encoded one");
            return;
        }
        int length = peer.into(value);
        if (length != -1 && length != data.length) {
            Main.line("wrong", "encoding into a buffer gives another length");
            return;
        }
        Operations.nextPeer = peer;
        Operations.nextValue = value;
        Operations.nextData = data;
        System.out.println(Jmh.run("encode", () -> peer.encode(value), plan).line("encode"));
        if (length != -1) {
            System.out.println(Jmh.run("into", () -> peer.into(value), plan).line("into"));
        }
        if (!workload.isOwn() && !WITHOUT_TEXT.contains(workload.name()) && !library.kind().equals("limit")) {
            // As many for each peer: one with small messages would find more of them out of the cache.
            int copies = Math.max(1, 60_000 / Reference.dump(workload.value()).length);
            Cost fresh = Timing.fresh(peer::encode, () -> peer.adapt(Reference.renew(workload.value())), copies, plan);
            System.out.println(fresh.line("fresh"));
        }
        System.out.println(Jmh.run("decode", () -> peer.decode(data), plan).line("decode"));
        if (peer instanceof Pooled pooled) {
            System.out.println("{\"stats\": " + pool(pooled, value) + "}");
        }
    }

    /** What a process pays before its first message: the library with another type, then this workload's own. */
    void once() {
        if (library.kind().equals("limit")) {
            return;
        }
        if (workload.isOwn()) {
            System.out.println(Timing.once(() -> start(workload)).line("first"));
            return;
        }
        Workload other = Workload.reference(workload.name().equals("event") ? "ints" : "event");
        System.out.println(Timing.once(() -> start(other)).line("load"));
        System.out.println(Timing.once(() -> start(workload)).line("first"));
    }

    private void start(Workload first) {
        Peer peer = library.open().apply(first);
        peer.decode(peer.encode(value(peer, first)));
    }

    /** The user's own data come as JSON for peers, which carry what JSON carries, and as our own message for us. */
    private static Object value(Peer peer, Workload of) {
        if (!of.isOwn()) {
            return peer.adapt(of.value());
        }
        try {
            return peer instanceof WithSamewire ? peer.decode(of.message()) : WithJackson.json(of).decode(Files.readAllBytes(of.data()));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String pool(Pooled pooled, Object value) {
        Map<String, Long> before = pooled.counts();
        for (int i = 0; i < POOLED; i++) {
            pooled.message(value);
        }
        Map<String, Long> counts = new TreeMap<>(pooled.counts());
        counts.replaceAll((name, count) -> count - before.get(name));
        counts.put("messages", (long) POOLED);
        return counts.entrySet().stream().map(each -> Main.quoted(each.getKey()) + ": " + each.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static boolean same(Object a, Object b) {
        return Arrays.deepEquals(new Object[] {a}, new Object[] {b});
    }
}
