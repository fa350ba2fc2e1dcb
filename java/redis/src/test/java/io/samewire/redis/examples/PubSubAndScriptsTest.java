package io.samewire.redis.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.Message;
import io.samewire.redis.client.Monitor;
import io.samewire.redis.client.MonitoredCommand;
import io.samewire.redis.client.OnOneServer;
import io.samewire.redis.client.Script;
import io.samewire.redis.client.Subscriber;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Hashes;
import io.samewire.redis.command.PubSub;
import io.samewire.redis.command.Reading;
import io.samewire.redis.command.Scripting;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The guides' channels, monitors, Lua scripts, functions and commands that a client does not know. */
class PubSubAndScriptsTest extends OnOneServer {
    @Test
    void hearsChannelsAndPatterns() throws InterruptedException {
        BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
        try (Subscriber subscriber = client.subscriber(heard::add)) {
            subscriber.subscribe("news");
            subscriber.psubscribe("loans.*");
            assertEquals(1, run(PubSub.publish("news", "open on sundays")));
            assertEquals("open on sundays", heard.take().text());
            run(PubSub.publish("loans.it", "ann"));
            Message loan = heard.take();
            assertEquals("loans.it loans.*", loan.channel().text() + " " + loan.pattern().orElseThrow().text());
            subscriber.unsubscribe("news");
            assertEquals(0, run(PubSub.publish("news", "nobody hears")));
        }
    }

    @Test
    void hearsShardedChannels() throws InterruptedException {
        BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
        try (Subscriber subscriber = client.subscriber(heard::add)) {
            subscriber.ssubscribe("orders");
            assertEquals(1, run(PubSub.spublish("orders", "one")));
            assertEquals("one", heard.take().text());
        }
    }

    @Test
    void seesWhatTheServerRuns() {
        try (Monitor monitor = client.monitor()) {
            run(Strings.incr("watched"));
            MonitoredCommand command = monitor.next();
            while (!command.words().get(0).text().equals("INCR")) {
                command = monitor.next();
            }
            assertEquals("watched", command.words().get(1).text());
        }
    }

    @Test
    void runsScripts() {
        Script<Long> add = Script.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Reading.LONG);
        assertEquals(5, add.run(client, List.of("sum"), "5"));
        assertEquals(7, add.run(client, List.of("sum"), "2"));
        assertEquals(9, add.run(client.async(), List.of("sum"), "2").join());
        assertEquals(List.of(true), run(Scripting.scriptExists(add.digest())));
        assertEquals(3, run(Scripting.eval("return 1 + ARGV[1]", List.of(), "2").as(Reading.LONG)));
        assertEquals(List.of("a", "b"),
            run(Scripting.eval("return {'a', 'b'}", List.of()).as(Reading.list(Text.STRING))));
    }

    @Test
    void callsFunctions() {
        run(Scripting.functionLoad("""
            #!lua name=library
            redis.register_function('lend', function(keys, args)
                redis.call('HSET', keys[1], 'reader', args[1])
                return redis.call('HINCRBY', keys[1], 'lent', 1)
            end)
            """).replace());
        assertEquals(1, run(Scripting.fcall("lend", List.of("book:1"), "ann").as(Reading.LONG)));
        assertEquals("ann", run(Hashes.hget("book:1", "reader")).orElseThrow());
        run(Scripting.functionDelete("library"));
    }

    @Test
    void sendsAnyCommand() {
        assertEquals("OK", run(Commands.of(Text.STRING, "SET", "key", "value")));
        assertEquals("value", run(Commands.of(Text.STRING, "GET", "key")));
        assertTrue(run(Commands.of("OBJECT HELP")).toString().contains("ENCODING"));
    }
}
