package io.samewire.redis.kotlin

import io.samewire.core.Code
import io.samewire.core.SamewireException
import io.samewire.redis.client.CommandClient
import io.samewire.redis.client.ConnectionException
import io.samewire.redis.client.RedisClient
import io.samewire.redis.client.RedisCluster
import io.samewire.redis.client.RedisOptions
import io.samewire.redis.client.RedisSentinel
import io.samewire.redis.client.ValkeyCluster
import io.samewire.redis.client.ValkeySentinels
import io.samewire.redis.command.Commands
import io.samewire.redis.command.Lists
import io.samewire.redis.command.Strings
import io.samewire.redis.resp.RedisException
import java.time.Duration.ZERO
import java.util.ArrayDeque
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("compilers")
class AwaitTest : OnOneServer() {
    /** Runs coroutines when a test says so. */
    private class Turns : CoroutineDispatcher() {
        private val due = LinkedBlockingQueue<Runnable>()

        fun next(): Runnable = due.poll(60, SECONDS)!!

        override fun dispatch(context: CoroutineContext, block: Runnable) {
            due.add(block)
        }
    }

    private suspend inline fun <reified E : Throwable> failing(call: suspend () -> Unit): E {
        val failure = runCatching { call() }.exceptionOrNull()
        return assertThrows(E::class.java) { failure?.let { throw it } }
    }

    @Test
    fun `returns replies, and null for no value`() = waiting {
        client.await(Strings.set("a", "1"))
        assertEquals("1", client.awaitOrNull(Strings.get("a")))
        assertNull(client.awaitOrNull(Strings.get("b"), 60.seconds))
        assertEquals(listOf(2L, 3L), listOf(async { client.await(Strings.incr("a")) },
            async { client.await(Strings.incr("a"), 60.seconds) }).awaitAll().sorted())
    }

    @Test
    fun `throws what the call throws`() = waiting {
        client.await(Strings.set("a", "x"))
        assertEquals("ERR", failing<RedisException> { client.await(Strings.incr("a")) }.text().substring(0, 3))
        assertEquals(Code.MISUSE, failing<SamewireException> { client.await(Commands.of("SELECT", "1")) }.code())
        assertEquals(Code.MISUSE, failing<SamewireException> { client.await(Strings.get("a"), 0.seconds) }.code())
        val late = failing<ConnectionException> { client.await(Lists.blpop(ZERO, "none"), 20.milliseconds) }
        assertEquals(Code.TIMEOUT, late.code())
    }

    @Test
    fun `a coroutine that is cancelled sends nothing`() = waiting {
        coroutineScope {
            launch(start = CoroutineStart.UNDISPATCHED) {
                coroutineContext[Job]!!.cancel()
                client.await(Strings.set("a", "1"))
            }
        }
        assertNull(client.awaitOrNull(Strings.get("a")))
    }

    @Test
    fun `cancelling ends the wait of a blocking command on the server`() = waiting {
        val call = launch { client.await(Lists.blpop(ZERO, "queue")) }
        untilInfo("blocked_clients:1")
        call.cancelAndJoin()
        untilInfo("blocked_clients:0")
        assertEquals(1, client.await(Lists.rpush("queue", "kept")))
        assertEquals(listOf("kept"), client.await(Lists.lrange("queue", 0, -1)))
        assertTrue(unclaimed.isEmpty())
    }

    /** The reply is there, and the coroutine has not run again yet: only this library can know of the element. */
    @Test
    fun `an element popped for a coroutine that is cancelled before it runs again is handed over`() = waiting {
        for (command in listOf(Lists.lpop("queue"), Lists.blpop(ZERO, "queue"))) {
            client.await(Lists.rpush("queue", "popped"))
            val turns = Turns()
            val taken = ArrayDeque<Any>()
            val call = CoroutineScope(turns).launch { taken.add(client.await(command)) }
            // A reply that comes before the coroutine suspends needs no turn.
            server.stall()
            turns.next().run()
            server.goOn()
            val resumption = turns.next()
            call.cancel()
            resumption.run()
            assertTrue(unclaimed.poll(60, SECONDS)!!.toString().contains("popped"))
            assertTrue(taken.isEmpty() && call.isCancelled)
        }
        assertTrue(unclaimed.isEmpty())
        assertTrue(client.await(Lists.lrange("queue", 0, -1)).isEmpty())
    }

    @Test
    fun `a call that may have popped for a coroutine that is cancelled behind its failure is in doubt`() = waiting {
        val turns = Turns()
        val call = CoroutineScope(turns).launch { client.await(Lists.blpop(ZERO, "queue")) }
        turns.next().run()
        untilInfo("blocked_clients:1")
        server.kill()
        val resumption = turns.next()
        server.launch()
        call.cancel()
        resumption.run()
        assertEquals("BLPOP", inDoubt.poll(60, SECONDS))
        assertTrue(inDoubt.isEmpty() && unclaimed.isEmpty())
    }

    /** Each element is taken by a coroutine or handed over, once, whatever comes first. */
    @Test
    fun `no element is lost or doubled when calls are cancelled as elements come`() = waiting {
        val taken = LinkedBlockingQueue<String>()
        val turns = 0..<200
        for (turn in turns) {
            val queue = "queue:$turn"
            val call = launch(Dispatchers.Default) { taken.add(client.await(Lists.blpop(ZERO, queue)).get().element()) }
            if (turn % 3 == 0) {
                untilInfo("blocked_clients:1")
            }
            val push = launch(Dispatchers.Default) { client.await(Lists.rpush(queue, "$turn")) }
            call.cancel()
            push.join()
            call.join()
        }
        untilInfo("blocked_clients:0")
        suspend fun left() =
            client.pipeline { turns.map { add(Lists.lrange("queue:$it", 0, -1)) } }.flatMap { it.get() }
        until { taken.size + unclaimed.size + left().size >= turns.count() }
        val handed = unclaimed.map { Regex("element=(\\d+)").find(it.toString())!!.groupValues[1] }
        assertEquals(turns.map(Int::toString).sorted(), (taken + left() + handed).sorted())
    }

    @Test
    fun `a client that is closed fails the calls that wait`() = waiting {
        val call = async(start = CoroutineStart.UNDISPATCHED) {
            RedisClient.create(RedisOptions.of(server.uri())).use { other ->
                val wait = async { runCatching { other.await(Lists.blpop(ZERO, "none")) } }
                untilInfo("blocked_clients:1")
                other.close()
                wait.await()
            }
        }
        assertEquals(Code.CLOSED, (call.await().exceptionOrNull() as SamewireException).code())
    }

    private fun callsOn(other: CommandClient) = runBlocking {
        other.await(Strings.set("{a}x", "1"))
        assertEquals(2, other.await(Strings.incr("{a}x"), 60.seconds))
        val counted = other.pipeline { add(Strings.incr("{a}x")) to add(Strings.incr("b")) }
        assertEquals(3L to 1L, counted.first.get() to counted.second.get())
        assertEquals(4, other.transaction { watch("{a}x"); add(Strings.incr("{a}x")) }!!.get())
        assertEquals("held", other.lock("orders").withLock { "held" })
    }

    @Test
    fun `clusters and sentinels have the same`() {
        ValkeyCluster().use { cluster -> RedisCluster.connect(*cluster.uris()).use(::callsOn) }
        ValkeySentinels().use { sentinels ->
            RedisSentinel.connect(*sentinels.uris()).use { it.master(ValkeySentinels.SERVICE).use(::callsOn) }
        }
    }
}
