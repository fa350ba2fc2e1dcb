package io.samewire.redis.kotlin

import io.samewire.core.Code
import io.samewire.core.SamewireException
import io.samewire.redis.client.Result
import io.samewire.redis.command.Commands
import io.samewire.redis.command.Lists
import io.samewire.redis.command.Strings
import io.samewire.redis.resp.RedisException
import java.time.Duration.ZERO
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

/** Pipelines and transactions. */
@Tag("compilers")
class BuildersTest : OnOneServer() {
    @Test
    fun `a pipeline has its replies when it returns, errors among them`() = waiting {
        client.await(Strings.set("text", "x"))
        val (length, refused, queue) = client.pipeline {
            Triple(add(Lists.rpush("queue", "a", "b")), add(Strings.incr("text")), add(Lists.lrange("queue", 0, -1)))
        }
        assertEquals(2, length.get())
        assertThrows(RedisException::class.java) { refused.get() }
        assertEquals(listOf("a", "b"), queue.get())
    }

    @Test
    fun `a builder that throws sends nothing`() = waiting {
        for (build in listOf<suspend () -> Unit>(
            { client.pipeline { add(Strings.set("a", "1")); error("stopped") } },
            { client.transaction { watch("a"); add(Strings.set("a", "1")); error("stopped") } },
        )) {
            assertEquals("stopped", runCatching { build() }.exceptionOrNull()!!.message)
            assertNull(client.awaitOrNull(Strings.get("a")))
        }
    }

    @Test
    fun `a pipeline has a time of its own`() = waiting {
        val late = runCatching { client.pipeline(20.milliseconds) { add(Lists.blpop(ZERO, "none")) } }
        assertEquals(Code.TIMEOUT, (late.exceptionOrNull() as SamewireException).code())
    }

    @Test
    fun `a pipeline that was left runs, and what it pops is handed over`() = waiting {
        client.await(Lists.rpush("queue", "popped"))
        val call = launch {
            client.pipeline(60.seconds) {
                add(Lists.lpop("queue"))
                add(Lists.blpop(ZERO, "bell"))
            }
        }
        untilInfo("blocked_clients:1")
        call.cancelAndJoin()
        client.await(Lists.rpush("bell", "rung"))
        assertTrue(listOf(unclaimed.take(), unclaimed.take()).toString().contains("popped"))
        assertEquals(0, client.await(Lists.llen("queue")))
    }

    @Test
    fun `a pipeline that was left and loses its connection is in doubt`() = waiting {
        val call = launch { client.pipeline(60.seconds) { add(Lists.blpop(ZERO, "bell")) } }
        untilInfo("blocked_clients:1")
        call.cancelAndJoin()
        server.kill()
        server.launch()
        assertEquals("BLPOP", withContext(Dispatchers.IO) { inDoubt.poll(60, SECONDS) })
    }

    @Test
    fun `a transaction depends on what it reads`() = waiting {
        client.await(Strings.set("balance", "15"))
        suspend fun withdraw(): Result<Long>? = client.transaction {
            watch("balance")
            val balance = await(Strings.get("balance")).orElse("0").toLong()
            check(balance >= 10) { "too little" }
            add(Strings.decrby("balance", 10))
        }
        assertEquals(5, withdraw()!!.get())
        assertEquals("too little", runCatching { withdraw() }.exceptionOrNull()!!.message)
        assertEquals("5", client.awaitOrNull(Strings.get("balance")))
    }

    @Test
    fun `a transaction whose key was changed is null and runs nothing`() = waiting {
        val done = client.transaction(60.seconds) {
            watch("a")
            client.await(Strings.set("a", "other"))
            add(Strings.set("a", "own"))
        }
        assertNull(done)
        assertEquals("other", client.awaitOrNull(Strings.get("a")))
    }

    @Test
    fun `a transaction without commands returns what its builder does`() = waiting {
        assertEquals("nothing", client.transaction { "nothing" })
        assertEquals("watched", client.transaction { watch("a"); "watched" })
    }

    @Test
    fun `a transaction that is cancelled gives its connection back`() = waiting {
        repeat(20) {
            val call = launch {
                client.transaction(60.seconds) {
                    watch("a")
                    await(Lists.blpop(ZERO, "bell"))
                    add(Strings.set("a", "late"))
                }
            }
            untilInfo("blocked_clients:1")
            call.cancelAndJoin()
            client.await(Lists.rpush("bell", "rung"))
            untilInfo("blocked_clients:0")
        }
        until { client.poolStatistics().run { idle == connections } }
        assertNull(client.awaitOrNull(Strings.get("a")))
    }

    @Test
    fun `what may not be added is refused at once`() = waiting {
        client.pipeline {
            assertThrows(SamewireException::class.java) { add(Commands.of("SELECT", "1")) }
            add(Strings.set("a", "1"))
        }
        assertEquals("1", client.awaitOrNull(Strings.get("a")))
    }
}
