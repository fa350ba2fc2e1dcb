package io.samewire.redis.kotlin

import io.samewire.core.Code
import io.samewire.core.SamewireException
import io.samewire.redis.client.RedisLock
import io.samewire.redis.command.Keys
import java.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

@Tag("compilers")
class LocksTest : OnOneServer() {
    private fun lock(): RedisLock =
        client.lock("orders").withTimeout(Duration.ofSeconds(60)).withPause(Duration.ofMillis(1))

    @Test
    fun `one coroutine has it at a time`() = waiting {
        var inside = 0
        var entered = 0
        coroutineScope {
            repeat(8) {
                launch(Dispatchers.Default) {
                    repeat(5) {
                        lock().withLock { held ->
                            assertTrue(held.isOwned)
                            assertEquals(1, ++inside)
                            yield()
                            inside--
                            entered++
                        }
                    }
                }
            }
        }
        assertEquals(40, entered)
        assertFalse(lock().isLocked)
    }

    @Test
    fun `gives up when it is not free in time`() = waiting {
        lock().withLock {
            assertNull(lock().withLockOrNull { "taken" })
            assertNull(lock().withLockOrNull(20.milliseconds) { "taken" })
        }
        assertEquals("taken", lock().withLockOrNull { "taken" })
        assertEquals("taken", lock().withLockOrNull(60.seconds) { "taken" })
    }

    @Test
    fun `a coroutine that is cancelled leaves it free`() = waiting {
        val holder = launch { lock().withLock { awaitCancellation() } }
        until { lock().isLocked }
        val waiter = launch { lock().withLock { error("entered") } }
        repeat(20) { yield() }
        waiter.cancelAndJoin()
        assertTrue(lock().isLocked)
        holder.cancelAndJoin()
        assertFalse(lock().isLocked)
        repeat(100) {
            val racing = launch(Dispatchers.Default) { lock().withLock { } }
            yield()
            racing.cancelAndJoin()
        }
        until { !lock().isLocked }
    }

    @Test
    fun `says when it was lost, beside what the action throws`() = waiting {
        val lost = runCatching { lock().withLock { client.await(Keys.del("orders")) } }.exceptionOrNull()
        assertEquals(Code.CLOSED, (lost as SamewireException).code())
        val both = runCatching {
            lock().withLock<Unit> {
                client.await(Keys.del("orders"))
                error("own")
            }
        }.exceptionOrNull()!!
        assertEquals("own", both.message)
        assertEquals(Code.CLOSED, (both.suppressed.single() as SamewireException).code())
    }

    @Test
    fun `its time is extended without blocking`() = waiting {
        lock().withLock { held ->
            held.extendBy(3_600.seconds)
            assertTrue(client.await(Keys.pttl("orders")).toString().filter(Char::isDigit).toLong() > 3_600)
        }
    }
}
