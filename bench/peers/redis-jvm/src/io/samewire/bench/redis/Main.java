package io.samewire.bench.redis;

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
 */
public final class Main {
    private static final int WARM_UPS = 3;
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
        PEERS.put("limit", WithLimit::new);
    }

    private Main() {}

    /** See the class. */
    public static void main(String[] arguments) throws RunnerException {
        if (arguments[0].equals("list")) {
            list();
            return;
        }
        Library library = PEERS.get(arguments[0]).get();
        Shape shape = Shape.of(arguments[1]);
        double warm = flag(arguments, "--warm", 1.5);
        int samples = (int) flag(arguments, "--samples", 5);
        double sample = flag(arguments, "--sample", 0.25);
        System.out.println("{\"version\": " + quoted(library.version()) + ", \"hex\": \"\"}");
        if (samples == 0) {
            return;
        }
        Supplier<Object> decode = library.decode(shape);
        if (decode != null) {
            Object value = library.plain(decode.get());
            if (!Objects.equals(shape.value(), value)) {
                System.out.println("{\"wrong\": " + quoted("decoded: " + value) + "}");
                return;
            }
            System.out.println(timed("decode", decode, warm, samples, sample).line("decode"));
        }
        Supplier<Object> encode = library.encode(shape);
        if (encode != null) {
            encode.get();
            if (!Arrays.equals(shape.wire(), library.written())) {
                System.out.println("{\"wrong\": \"other bytes were written\"}");
                return;
            }
            System.out.println(timed("encode", encode, warm, samples, sample).line("encode"));
        }
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

    private static Cost timed(String op, Supplier<Object> work, double warm, int samples, double sample) throws RunnerException {
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
                                                .warmupIterations(WARM_UPS)
                                                .warmupTime(seconds(warm / WARM_UPS))
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
            cost.cpu().add((double) Operations.CPU.get(first + i) / iteration.getMetadata().getAllOps());
            cost.wall().add(iteration.getPrimaryResult().getScore());
            Result<?> bytes = iteration.getSecondaryResults().get(ALLOCATED);
            if (bytes != null) {
                allocated.add(bytes.getScore());
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
            } catch (LinkageError absent) {
                all.put(name, "{\"missing\": " + quoted(absent.toString()) + "}");
            }
        });
        String peers = all.entrySet().stream().map(row -> quoted(row.getKey()) + ": " + row.getValue()).collect(Collectors.joining(", "));
        String harness = "jmh " + Runner.class.getProtectionDomain().getCodeSource().getLocation().getPath()
                .replaceAll(".*-(\\d[^/]*)\\.jar$", "$1");
        System.out.println("{\"harness\": " + quoted(harness) + ", \"peers\": {" + peers + "}}");
    }

    private static String about(Library library) {
        String workloads = Shape.names().stream()
                .filter(name -> library.decode(Shape.outline(name)) != null || library.encode(Shape.outline(name)) != null)
                .map(Main::quoted)
                .toList()
                .toString();
        return "{\"workloads\": %s, \"version\": %s, \"kind\": %s, \"checks\": %s, \"trusted\": %s}".formatted(workloads,
                quoted(library.version()), quoted(library.isLimit() ? "limit" : "typed"), quoted(library.about()), library.isLimit());
    }
}
