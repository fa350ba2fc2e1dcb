package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.Policy;
import io.samewire.bridge.transport.Link;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callback channels are asked for, waited for, and given up. */
@Timeout(180)
class CallbacksTest {
    /** The messages that went out on the control channel. */
    private final BlockingQueue<Integer> sent = new LinkedBlockingQueue<>();
    private final Session session = new Session(
        new SessionOptions(null, Policy.everything(), Limits.DEFAULT, 0, Map.of(), null), new Recorder(),
        Map.of(), ended -> { });
    private final Callbacks callbacks = new Callbacks(session);

    private final class Recorder implements Link {
        @Override
        public void send(Output frames) {
            sent.add((int) frames.array()[frames.message()]);
        }

        @Override
        public boolean receive(Input into) {
            return false;
        }

        @Override
        public void read(byte[] into, int from, int length) {
            throw new AssertionError("nothing large is read");
        }

        @Override
        public void close() {
        }
    }

    private Channel channel() {
        return session.newChannel(new Recorder());
    }

    private CompletableFuture<Channel> take() {
        return CompletableFuture.supplyAsync(callbacks::take, task -> new Thread(task).start());
    }

    private void awaitAsked() throws InterruptedException {
        assertEquals(Messages.MORE, sent.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void asksForAChannelAndWaits() throws Exception {
        CompletableFuture<Channel> taken = take();
        awaitAsked();
        Channel opened = channel();
        callbacks.opened(opened);
        assertSame(opened, taken.get());
        callbacks.give(opened);
        assertSame(opened, callbacks.take());
        assertEquals(0, sent.size());
    }

    @Test
    void anInterruptedThreadWaitsForItsChannelAndStaysInterrupted() throws Exception {
        CompletableFuture<Channel> taken = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            Thread.currentThread().interrupt();
            Channel channel = callbacks.take();
            assertTrue(Thread.currentThread().isInterrupted());
            taken.complete(channel);
        });
        thread.start();
        awaitAsked();
        thread.interrupt();
        Channel opened = channel();
        callbacks.opened(opened);
        assertSame(opened, taken.get(60, TimeUnit.SECONDS));
    }

    @Test
    void givesUpAtOnceIfTheClientCannotOpenOneAndAsksAgainNextTime() throws Exception {
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Channel> taken = take();
            awaitAsked();
            callbacks.refused();
            Throwable thrown = assertThrows(Exception.class, taken::get).getCause();
            assertEquals(Code.CLOSED, ((SamewireException) thrown).code());
        }
        CompletableFuture<Channel> taken = take();
        awaitAsked();
        callbacks.opened(channel());
        assertEquals(session, taken.get().session());
    }

    @Test
    void aRefusalThatNobodyWaitsForMeansNothing() throws Exception {
        callbacks.refused();
        CompletableFuture<Channel> taken = take();
        awaitAsked();
        callbacks.opened(channel());
        assertEquals(session, taken.get().session());
    }

    @Test
    void asksAgainIfAnotherThreadTookTheChannel() throws Exception {
        CompletableFuture<Channel> first = take();
        awaitAsked();
        callbacks.opened(channel());
        CompletableFuture<Channel> second = take();
        awaitAsked();
        callbacks.opened(channel());
        assertNotSame(first.get(), second.get());
    }
}
