package io.samewire.redis.spring;

import io.samewire.redis.client.CommandClient;
import io.samewire.redis.command.Reading;
import io.samewire.redis.command.ScanPage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Flow;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.springframework.data.redis.connection.ReactiveRedisConnection.AbsentByteBufferResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.ByteBufferResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.core.ScanOptions;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Sends commands by the client's publishers. The groups of the blocking connection make them; nothing is sent before a
 * subscriber asks for it, each subscription sends anew, and cancelling cancels the call. Thread-safe.
 */
final class ReactiveCalls {
    /** The thread of the client that reads replies. */
    private static final String READER = "samewire-redis-reader";

    static {
        // block() would wait there for a reply that nobody reads: it throws instead.
        Schedulers.registerNonBlockingThreadPredicate(thread -> thread.getName().equals(READER));
    }

    /** The client if it is there, else null. */
    private final Supplier<? extends CommandClient> present;
    /** Makes it, and may wait for servers. */
    private final Callable<? extends CommandClient> client;

    ReactiveCalls(Supplier<? extends CommandClient> present, Callable<? extends CommandClient> client) {
        this.present = present;
        this.client = client;
    }

    /** Runs what may wait, on a thread that may. */
    static <T> Mono<T> waiting(Callable<T> use) {
        return Mono.fromCallable(use).subscribeOn(Schedulers.boundedElastic())
            .onErrorMap(RuntimeException.class, Failures::translate);
    }

    /** Returns the client, for what waits. */
    CommandClient client() throws Exception {
        return client.call();
    }

    private <T> Flux<T> published(Function<CommandClient, Flow.Publisher<T>> use) {
        return Flux.defer(() -> {
            CommandClient there = present.get();
            return there != null ? JdkFlowAdapter.flowPublisherToFlux(use.apply(there))
                : waiting(client).flatMapMany(made -> JdkFlowAdapter.flowPublisherToFlux(use.apply(made)));
        }).onErrorMap(RuntimeException.class, Failures::translate);
    }

    /** Publishes the reply of a call; nothing if it is null. */
    <T> Mono<T> mono(Function<Calls, T> call) {
        return Mono.fromDirect(published(to -> to.reactive().execute(RecordedCall.of(call))));
    }

    /** Publishes the elements of a reply. */
    <T> Flux<T> flux(Function<Calls, ? extends Collection<T>> call) {
        return mono(call).flatMapIterable(found -> found);
    }

    /** Publishes the elements of a reply as buffers. */
    Flux<ByteBuffer> buffers(Function<Calls, ? extends Collection<byte[]>> call) {
        return flux(call).map(Buffers::wrap);
    }

    /** Sends a call for each of some, one after the other. A null has no response. */
    <C, T, R> Flux<R> each(Publisher<? extends C> commands, BiFunction<Calls, C, T> call,
            BiFunction<C, T, R> response) {
        return Flux.<C>from(commands).concatMap(one ->
            mono(to -> call.apply(to, one)).map(reply -> response.apply(one, reply)));
    }

    /** The same of a call that returns bytes. */
    <C> Flux<ByteBufferResponse<C>> value(Publisher<? extends C> commands, BiFunction<Calls, C, byte[]> call) {
        return each(commands, call, (one, reply) -> new ByteBufferResponse<>(one, Buffers.wrap(reply)));
    }

    /** The same; a null has a response that is absent. */
    <C> Flux<ByteBufferResponse<C>> valueOrAbsent(Publisher<? extends C> commands, BiFunction<Calls, C, byte[]> call) {
        return Flux.<C>from(commands).concatMap(one -> mono(to -> call.apply(to, one))
            .<ByteBufferResponse<C>>map(reply -> new ByteBufferResponse<>(one, Buffers.wrap(reply)))
            .defaultIfEmpty(new AbsentByteBufferResponse<>(one)));
    }

    /** Makes for each of some a publisher, whose subscriptions send. */
    static <C, T> Flux<CommandResponse<C, Flux<T>>> many(Publisher<? extends C> commands, Function<C, Flux<T>> made) {
        return Flux.<C>from(commands).map(one -> new CommandResponse<>(one, made.apply(one)));
    }

    /** Makes for each of some a publisher of the elements of a reply, as buffers. */
    <C> Flux<CommandResponse<C, Flux<ByteBuffer>>> manyBuffers(Publisher<? extends C> commands,
            BiFunction<Calls, C, ? extends Collection<byte[]>> call) {
        return many(commands, one -> buffers(to -> call.apply(to, one)));
    }

    /** Publishes all keys, page after page; on a cluster of all nodes. */
    Flux<ByteBuffer> keys(ScanOptions options) {
        return this.<byte[]>published(to -> to.reactive().scan(at -> RecordedCall.of(on ->
            on.call(page(Readings.BYTES_LIST), "SCAN", at, Scans.words(options))))).map(Buffers::wrap);
    }

    /** Publishes what a scan of one key finds. A page is asked for at most one ahead. */
    <T> Flux<T> scan(String name, byte[] key, ScanOptions options, Reading<? extends Collection<T>> items) {
        Function<String, Mono<ScanPage<T>>> page = at -> mono(to ->
            to.call(page(items), name, key, at, Scans.words(options)));
        return page.apply(ScanPage.START).expand(one -> one.isLast() ? Mono.empty() : page.apply(one.cursor()))
            .concatMapIterable(ScanPage::items, 1);
    }

    private static <T> Reading<ScanPage<T>> page(Reading<? extends Collection<T>> items) {
        return in -> Readings.array(in, 2, page -> {
            String next = page.readString();
            Collection<T> found = items.read(page);
            return new ScanPage<>(next, found instanceof List<T> list ? list : new ArrayList<>(found));
        });
    }
}
