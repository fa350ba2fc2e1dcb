package io.samewire.bench.redis;

import io.samewire.bench.Cost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * {@code Main list} names the peers; {@code Main PEER WORKLOAD --warm S --samples N --sample S} holds one of them to the right value
 * and the right bytes, then times it. Output is one JSON object a line.
 * Calls of a client need {@code --port}: that of a server on this machine, which has what they read; {@code --core} binds them.
 */
public final class Main {
    /** Samples of calls are so many times as long: a round trip wakes a process, which is not always as quick. */
    private static final int SERVED = 4;
    /** Clients are warmed up for so many times as long: after two seconds Lettuce's calls were still falling, from 15 to 10 us in one. */
    private static final int CLIENTS = 4;
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final Map<String, Supplier<Library>> PEERS = new LinkedHashMap<>();

    static {
        PEERS.put("samewire", () -> new WithSamewire(""));
        PEERS.put("samewire-lazy", () -> new WithSamewire("lazy"));
        PEERS.put("samewire-scanned", () -> new WithSamewire("scanned"));
        PEERS.put("samewire-bytes", () -> new WithSamewire("bytes"));
        PEERS.put("lettuce", WithLettuce::new);
        PEERS.put("jedis", WithJedis::new);
        PEERS.put("netty", WithNetty::new);
        PEERS.put("scodec", WithScodec::new);
        PEERS.put("jdk-string", () -> new WithJdk(false));
        PEERS.put("jdk-charset", () -> new WithJdk(true));
        PEERS.put("raw-socket", WithRawSocket::new);
        PEERS.put("redis-benchmark", WithRedisBenchmark::new);
        PEERS.put("limit", WithLimit::new);
    }

    private Main() {}

    /** See the class. */
    public static void main(String[] arguments) throws RunnerException, IOException {
        if (arguments[0].equals("list")) {
            list();
            return;
        }
        Library library = PEERS.get(arguments[0]).get();
        Shape shape = Shape.of(arguments[1]);
        double warm = flag(arguments, "--warm", 1.5);
        int samples = (int) flag(arguments, "--samples", 5);
        double sample = flag(arguments, "--sample", 0.25);
        System.out.println("{\"version\": " + quoted(library.version()) + "}");
        if (samples == 0) {
            return;
        }
        if (shape.kind().isServed()) {
            Supplier<Object> call = library.call(shape, (int) flag(arguments, "--port", 6379));
            if (isRight(shape.value(), library.plain(call.get()))) {
                double core = flag(arguments, "--core", -1);
                Operations.warm = () -> bind(core);
                Operations.clock = library.clock();
                Cost cost = timed("call", call, library.isCompiled() ? 0 : CLIENTS * warm, samples, sample * SERVED, library.count(shape));
                System.out.println(cost.line("call"));
            }
            System.out.flush();
            // Clients have threads of their own.
            Runtime.getRuntime().halt(0);
        }
        Supplier<Object> decode = library.decode(shape);
        if (decode != null) {
            if (!isRight(shape.value(), library.plain(decode.get()))) {
                return;
            }
            System.out.println(timed("decode", decode, warm, samples, sample, 1).line("decode"));
        }
        Supplier<Object> encode = library.encode(shape);
        if (encode != null) {
            encode.get();
            if (!Arrays.equals(shape.wire(), library.written())) {
                System.out.println("{\"wrong\": \"other bytes were written\"}");
                return;
            }
            System.out.println(timed("encode", encode, warm, samples, sample, 1).line("encode"));
        }
    }

    /** Binds all threads to a core, compilers too, which have had the others so far. */
    private static void bind(double core) {
        if (core < 0) {
            return;
        }
        String[] command = {"taskset", "-a", "-c", "-p", Integer.toString((int) core), Long.toString(ProcessHandle.current().pid())};
        try {
            if (new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() != 0) {
                throw new IllegalStateException("taskset failed");
            }
        } catch (IOException absent) {
            throw new UncheckedIOException(absent);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static boolean isRight(Object expected, Object value) {
        boolean right = Objects.equals(expected, value);
        if (!right) {
            System.out.println("{\"wrong\": " + quoted("came: " + value) + "}");
        }
        return right;
    }

    private static double flag(String[] arguments, String name, double otherwise) {
        int at = Arrays.asList(arguments).indexOf(name);
        return at < 0 ? otherwise : Double.parseDouble(arguments[at + 1]);
    }

    /** A JSON string. */
    private static String quoted(String text) {
        String plain = text.substring(0, Math.min(text.length(), 300)).replace("\\", "\\\\").replace("\"", "\\\"");
        return '"' + plain.replaceAll("\\p{Cntrl}", " ") + '"';
    }

    /** Times an operation that is so many commands. */
    private static Cost timed(String op, Supplier<Object> work, double warm, int samples, double sample, int count)
            throws RunnerException {
        Operations.next = work;
        Operations.CPU.clear();
        List<IterationResult> iterations =
                List.copyOf(
                        new Runner(
                                        new OptionsBuilder()
                                                .include("^" + Operations.class.getName().replace(".", "\\.") + "\\." + op + "$")
                                                .mode(org.openjdk.jmh.annotations.Mode.AverageTime)
                                                .timeUnit(TimeUnit.NANOSECONDS)
                                                .forks(0)
                                                .warmupIterations(Operations.WARM_UPS)
                                                .warmupTime(seconds(warm / Operations.WARM_UPS))
                                                .measurementIterations(samples)
                                                .measurementTime(seconds(sample))
                                                .addProfiler(GCProfiler.class)
                                                .shouldFailOnError(true)
                                                .verbosity(org.openjdk.jmh.runner.options.VerboseMode.SILENT)
                                                .build())
                                .runSingle()
                                .getBenchmarkResults()
                                .iterator()
                                .next()
                                .getIterationResults());
        Cost cost = new Cost();
        List<Double> allocated = new ArrayList<>();
        int first = Operations.CPU.size() - iterations.size();
        for (int i = 0; i < iterations.size(); i++) {
            IterationResult iteration = iterations.get(i);
            cost.cpu().add((double) Operations.CPU.get(first + i) / iteration.getMetadata().getAllOps() / count);
            cost.wall().add(iteration.getPrimaryResult().getScore() / count);
            Result<?> bytes = iteration.getSecondaryResults().get(ALLOCATED);
            if (bytes != null) {
                allocated.add(bytes.getScore() / count);
            }
        }
        return allocated.isEmpty() ? cost : cost.allocating(Cost.median(allocated));
    }

    private static TimeValue seconds(double seconds) {
        return TimeValue.microseconds(Math.max(1, (long) (seconds * 1e6)));
    }

    /** A peer whose library is not there says so, and the others go on. */
    private static void list() {
        Map<String, String> all = new LinkedHashMap<>();
        PEERS.forEach((name, made) -> {
            try {
                all.put(name, about(made.get()));
            } catch (LinkageError | UncheckedIOException absent) {
                all.put(name, "{\"missing\": " + quoted(absent.toString()) + "}");
            }
        });
        String peers = all.entrySet().stream().map(row -> quoted(row.getKey()) + ": " + row.getValue()).collect(Collectors.joining(", "));
        String harness = "jmh " + Runner.class.getProtectionDomain().getCodeSource().getLocation().getPath()
                .replaceAll(".*-(\\d[^/]*)\\.jar$", "$1");
        System.out.println("{\"harness\": " + quoted(harness) + ", \"peers\": {" + peers + "}}");
    }

    private static boolean carries(Library library, Shape shape) {
        return shape.kind().isServed() ? library.calls().contains(shape.kind())
                : library.decode(shape) != null || library.encode(shape) != null;
    }

    private static String about(Library library) {
        String workloads = Shape.names().stream()
                .filter(name -> carries(library, Shape.outline(name)))
                .map(Main::quoted)
                .toList()
                .toString();
        return "{\"workloads\": %s, \"version\": %s, \"kind\": %s, \"checks\": %s, \"trusted\": %s}".formatted(workloads,
                quoted(library.version()), quoted(library.isLimit() ? "limit" : "typed"), quoted(library.about()), library.isLimit());
    }
}
