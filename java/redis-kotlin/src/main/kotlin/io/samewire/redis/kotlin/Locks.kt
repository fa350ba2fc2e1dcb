package io.samewire.redis.kotlin

import io.samewire.redis.client.RedisLock
import java.util.concurrent.Executor
import kotlin.time.Duration
import kotlin.time.TimeSource
import kotlin.time.toJavaDuration
import kotlin.time.toKotlinDuration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.delay
import kotlinx.coroutines.withContext

private val threads: Executor = Dispatchers.IO.asExecutor()

/**
 * Waits for the lock without a limit, runs [action] with it, and releases it, also if the coroutine is cancelled. No
 * thread waits between attempts ([RedisLock.withPause]). One that is acquired for a coroutine which was cancelled
 * meanwhile is released at once. Not reentrant.
 *
 * ```
 * client.lock("orders").withTimeout(30.seconds.toJavaDuration()).withLock { held -> held.extendBy(10.seconds) }
 * ```
 *
 * @throws io.samewire.core.SamewireException what [RedisLock.acquire] and [RedisLock.Held.release] throw: `closed` if
 *     the lock is another holder's by the end
 */
public suspend fun <R> RedisLock.withLock(action: suspend (held: RedisLock.Held) -> R): R {
    while (true) {
        attempt()?.let { return holding(it, action) }
        delay(pause().toKotlinDuration())
    }
}

/**
 * Does the same if the lock is free now or within [wait]; returns null, without running [action], if it is not.
 *
 * @throws io.samewire.core.SamewireException as [withLock]
 */
public suspend fun <R : Any> RedisLock.withLockOrNull(
    wait: Duration = Duration.ZERO,
    action: suspend (held: RedisLock.Held) -> R,
): R? {
    val end = TimeSource.Monotonic.markNow() + wait
    val pause = pause().toKotlinDuration()
    while (true) {
        attempt()?.let { return holding(it, action) }
        if ((end - pause).hasPassedNow()) {
            return null
        }
        delay(pause)
    }
}

/** Adds to the time that is left, without blocking: [RedisLock.Held.extend]. */
public suspend fun RedisLock.Held.extendBy(more: Duration) {
    threads.await { extend(more.toJavaDuration()) }
}

private suspend fun RedisLock.attempt(): RedisLock.Held? =
    threads.await({ it.getOrNull()?.let { left -> threads.execute(left::close) } }) { tryAcquire().orElse(null) }

private suspend fun <R> holding(held: RedisLock.Held, action: suspend (RedisLock.Held) -> R): R {
    var failure: Throwable? = null
    try {
        return action(held)
    } catch (thrown: Throwable) {
        failure = thrown
        throw thrown
    } finally {
        try {
            withContext(NonCancellable) { threads.await { held.close() } }
        } catch (late: Throwable) {
            failure?.addSuppressed(late) ?: throw late
        }
    }
}
