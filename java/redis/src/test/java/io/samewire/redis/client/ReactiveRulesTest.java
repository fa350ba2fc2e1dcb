package io.samewire.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.ScanPage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.SkipException;

/** The rules of Reactive Streams, by its own tests (the TCK), on a real server. */
class ReactiveRulesTest extends OnOneServer {
    private static final TestEnvironment TIMES = new TestEnvironment(60_000, 100, 100, false);
    private static Thread publishing;
    private static volatile boolean ending;
    private static RedisClient closed;

    @BeforeAll
    static void publish() {
        closed = RedisClient.create(RedisOptions.of(server.uri()));
        closed.close();
        publishing = new Thread(() -> {
            while (!ending && Pool.sleep(1_000_000)) {
                client.execute(PubSub.publish("rules", "message"));
            }
        });
        publishing.start();
    }

    @AfterAll
    static void endPublishing() throws InterruptedException {
        ending = true;
        publishing.join();
    }

    /** A publisher under test. */
    private static final class Verified<T> extends FlowPublisherVerification<T> {
        private final long most;
        private final LongFunction<Flow.Publisher<T>> published;
        private final Supplier<Flow.Publisher<T>> failed;

        Verified(long most, LongFunction<Flow.Publisher<T>> published,
                Supplier<Flow.Publisher<T>> failed) {
            super(TIMES);
            this.most = most;
            this.published = published;
            this.failed = failed;
        }

        @Override
        public Flow.Publisher<T> createFlowPublisher(long elements) {
            return published.apply(elements);
        }

        @Override
        public Flow.Publisher<T> createFailedFlowPublisher() {
            return failed.get();
        }

        @Override
        public long maxElementsFromPublisher() {
            return most;
        }
    }

    /**
     * Every test of the TCK, and one of how many of them were run. It skips what cannot be tested of any publisher, and
     * what needs more elements than there are, an end where there is none, or a failure before the first request.
     */
    private static Stream<DynamicTest> tests(int verified, Supplier<Verified<?>> made) {
        Set<String> skipped = Collections.synchronizedSet(new TreeSet<>());
        List<Method> methods = Arrays.stream(FlowPublisherVerification.class.getMethods())
            .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
            .sorted(Comparator.comparing(Method::getName)).toList();
        List<DynamicTest> all = new ArrayList<>();
        for (Method method : methods) {
            all.add(DynamicTest.dynamicTest(method.getName(), () -> {
                Verified<?> publisher = made.get();
                publisher.setUp();
                try {
                    method.invoke(publisher);
                } catch (InvocationTargetException failed) {
                    if (!(failed.getCause() instanceof SkipException)) {
                        throw failed.getCause();
                    }
                    skipped.add(method.getName());
                }
            }));
        }
        all.add(DynamicTest.dynamicTest("all others were verified", () -> {
            assertEquals(verified, methods.size() - skipped.size(), () -> "skipped: " + skipped);
        }));
        return all.stream();
    }

    @TestFactory
    Stream<DynamicTest> ofACommand() {
        return tests(10, () -> new Verified<>(1, elements -> client.reactive().execute(elements == 0
            ? Commands.of(in -> {
                in.readString();
                return null;
            }, "PING") : Commands.of(in -> in.readString(), "PING")), () -> null));
    }

    /** A scan of so many elements, three a page, some pages empty. */
    private static Flow.Publisher<Long> scan(long elements) {
        AtomicInteger pages = new AtomicInteger();
        return client.reactive().scan(cursor -> page(Long.parseLong(cursor), elements, pages.getAndIncrement()));
    }

    private static Command<ScanPage<Long>> page(long from, long elements, int number) {
        return Commands.of(in -> {
            in.readString();
            List<Long> items = new ArrayList<>();
            for (long i = from; i < Math.min(elements, from + 3) && number % 5 != 1; i++) {
                items.add(i);
            }
            long next = from + items.size();
            return new ScanPage<>(next >= elements ? ScanPage.START : String.valueOf(next), items);
        }, "PING");
    }

    @TestFactory
    Stream<DynamicTest> ofAScan() {
        return tests(26, () -> new Verified<>(Long.MAX_VALUE - 1, ReactiveRulesTest::scan, () -> null));
    }

    @TestFactory
    Stream<DynamicTest> ofMessages() {
        return tests(20, () -> new Verified<>(Long.MAX_VALUE, elements -> client.reactive().subscribe("rules"),
            () -> closed.reactive().subscribe("rules")));
    }
}
