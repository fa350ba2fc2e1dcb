package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Lists;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Strings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** The reactive examples of Lettuce's guide, in Project Reactor. */
class ReactiveTest extends OnOneServer {
    private static <T> Flux<T> flux(Flow.Publisher<T> publisher) {
        return JdkFlowAdapter.flowPublisherToFlux(publisher);
    }

    @Test
    void commandsAreMonos() {
        run(Strings.set("shelf:1", "novels"));
        assertEquals(Optional.of("novels"), flux(client.reactive().execute(Strings.get("shelf:1"))).single().block());
        assertEquals(List.of(1L, 2L, 3L), flux(client.reactive().execute(Strings.incr("visits"))).repeat(2)
            .collectList().block());
        assertEquals("1", flux(client.reactive().execute(Lists.rpush("queue", "1"))).thenMany(flux(client.reactive()
            .execute(Lists.blpop(Duration.ZERO, "queue"), Duration.ofSeconds(60)))).single().block().orElseThrow()
            .element());
    }

    @Test
    void scansAreFluxes() {
        for (int number = 0; number < 100; number++) {
            run(Strings.set("key:" + number, "value"));
        }
        assertEquals(100, flux(client.reactive().scan(Keys::scan)).distinct().count().block());
    }

    @Test
    void messagesAreFluxes() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Disposable listening = flux(client.reactive().subscribe("news")).retry()
            .subscribe(message -> heard.add(message.text()));
        while (run(PubSub.publish("news", "first")) == 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertEquals("first", heard.poll(60, TimeUnit.SECONDS));
        run(Commands.of("CLIENT KILL", "TYPE", "pubsub"));
        String next = null;
        while (next == null) {
            run(PubSub.publish("news", "second"));
            next = heard.poll(10, TimeUnit.MILLISECONDS);
        }
        assertEquals("second", next);
        listening.dispose();
    }
}
