package io.samewire.redis.kotlin

import java.util.concurrent.Executor
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.suspendCancellableCoroutine

/** Threads of [Dispatchers.IO] that run one piece of work after the other. */
internal fun oneAfterTheOther(): Executor = Dispatchers.IO.limitedParallelism(1).asExecutor()

/**
 * Runs [work], which blocks, on a thread of this executor. A coroutine that is cancelled meanwhile leaves at once: work
 * that was begun ends by itself, at its timeout at the latest, and [left] takes its result or failure.
 */
internal suspend fun <T> Executor.await(left: (Result<T>) -> Unit = {}, work: () -> T): T {
    currentCoroutineContext().ensureActive()
    val outcome = suspendCancellableCoroutine { waiting ->
        execute {
            if (waiting.isActive) {
                waiting.resume(runCatching(work)) { _, result, _ -> left(result) }
            }
        }
    }
    return outcome.getOrThrow()
}
