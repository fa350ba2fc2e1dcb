package io.samewire.redis.kotlin

import io.samewire.core.Code
import io.samewire.core.SamewireException
import io.samewire.redis.client.ConnectionException
import io.samewire.redis.client.Message
import io.samewire.redis.command.Keys
import io.samewire.redis.command.PubSub
import io.samewire.redis.command.Sets
import io.samewire.redis.command.Strings
import io.samewire.redis.resp.RedisException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.collect
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.toSet
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("compilers")
class FlowsTest : OnOneServer() {
    private suspend fun subscribers(): Long =
        client.await(PubSub.pubsubNumsub("news"))["news"]!! + client.await(PubSub.pubsubNumpat())

    @Test
    fun `a scan finds everything, each time it is collected`() = waiting {
        val names = (1..1_000).map { "user:$it" }
        client.pipeline { names.forEach { add(Strings.set(it, "1")) } }
        client.await(Strings.set("other", "1"))
        val found = client.scanAsFlow { Keys.scan(it).match("user:*").count(50) }
        repeat(2) { assertEquals(names.toSet(), found.toSet()) }
        client.await(Sets.sadd("set", "a", "b"))
        assertEquals(setOf("a", "b"), client.scanAsFlow(60.seconds) { Sets.sscan("set", it) }.toSet())
    }

    @Test
    fun `asks for pages as they are collected`() = waiting {
        client.pipeline { (1..1_000).forEach { add(Strings.set("user:$it", "1")) } }
        val pages = AtomicInteger()
        val found = client.scanAsFlow {
            pages.incrementAndGet()
            Keys.scan(it).count(10)
        }
        found.first()
        assertEquals(1, pages.get())
    }

    @Test
    fun `a scan throws what its page does`() = waiting {
        client.await(Strings.set("text", "x"))
        val failure = runCatching { client.scanAsFlow { Sets.sscan("text", it) }.toList() }.exceptionOrNull()
        assertInstanceOf(RedisException::class.java, failure)
        val own = runCatching { client.scanAsFlow<String> { error("no page") }.toList() }.exceptionOrNull()
        assertEquals("no page", own!!.message)
    }

    @Test
    fun `messages come in order, and the end of the flow unsubscribes`() = waiting {
        val heard = async { client.subscribeAsFlow("news").take(500).toList() }
        until { subscribers() == 1L }
        client.pipeline { (1..600).forEach { add(PubSub.publish("news", "$it")) } }
        assertEquals((1..500).map(Int::toString), heard.await().map(Message::text))
        until { subscribers() == 0L }
    }

    @Test
    fun `cancelling the coroutine unsubscribes`() = waiting {
        for (messages in listOf<Flow<Message>>(client.subscribeAsFlow("news"), client.psubscribeAsFlow("n*"))) {
            val received = Channel<String>(Channel.UNLIMITED)
            val job = launch { messages.collect { received.send(it.text()) } }
            until { subscribers() == 1L }
            client.await(PubSub.publish("news", "one"))
            assertEquals("one", received.receive())
            job.cancelAndJoin()
            until { subscribers() == 0L }
        }
        val shards = async { client.ssubscribeAsFlow("orders").first().text() }
        until { client.await(PubSub.spublish("orders", "sold")) == 1L }
        assertEquals("sold", shards.await())
    }

    @Test
    fun `a subscription that cannot go on fails`() = waiting {
        val none = runCatching { client.subscribeAsFlow().first() }.exceptionOrNull()
        assertEquals(Code.MISUSE, (none as SamewireException).code())
        val lost = async { runCatching { client.subscribeAsFlow("news").toList() } }
        until { subscribers() == 1L }
        server.kill()
        server.launch()
        assertInstanceOf(ConnectionException::class.java, lost.await().exceptionOrNull())
    }
}
