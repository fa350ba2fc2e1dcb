package io.samewire.redis.kotlin

import io.samewire.redis.client.CommandClient
import io.samewire.redis.client.RedisClient
import io.samewire.redis.client.RedisOptions
import io.samewire.redis.client.ValkeyServer
import io.samewire.redis.command.Command
import io.samewire.redis.command.Commands
import io.samewire.redis.command.Server
import java.util.concurrent.BlockingQueue
import java.util.concurrent.LinkedBlockingQueue
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.TestInstance

/** Tests on one server and one client, which begin with an empty database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnOneServer {
    protected lateinit var server: ValkeyServer
    protected lateinit var client: CommandClient

    /** What came for coroutines that had left. */
    protected val unclaimed: BlockingQueue<Any> = LinkedBlockingQueue()

    /** The commands of which no reply told, for coroutines that had left. */
    protected val inDoubt: BlockingQueue<String> = LinkedBlockingQueue()

    @BeforeAll
    fun start() {
        server = ValkeyServer.start()
        client = RedisClient.connect(RedisOptions.of(server.uri()).withUnclaimed { _, reply -> unclaimed.add(reply) }
            .withInDoubt { command, _ -> inDoubt.add(command.name()) })
    }

    @AfterAll
    fun stop() {
        client.close()
        server.close()
    }

    @BeforeEach
    fun empty() {
        client.execute(Server.flushall())
        unclaimed.clear()
        inDoubt.clear()
    }

    /** Waits for replies; the bound tells a hang from an end. */
    protected fun waiting(test: suspend CoroutineScope.() -> Unit): Unit = runBlocking { withTimeout(60.seconds, test) }

    /** Waits until the server says a line of INFO. */
    protected suspend fun untilInfo(line: String) = until {
        client.await(INFO).lineSequence().any { it.trim() == line }
    }

    protected suspend fun until(condition: suspend () -> Boolean) {
        while (!condition()) {
            delay(2)
        }
    }

    private companion object {
        val INFO: Command<String> = Commands.of({ it.readString() }, "INFO", "clients")
    }
}
