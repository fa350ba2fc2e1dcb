package io.samewire.redis.kotlin

import io.samewire.redis.client.AsyncClient
import io.samewire.redis.client.CommandClient
import io.samewire.redis.client.Pipeline
import io.samewire.redis.client.Result
import io.samewire.redis.command.Command
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asExecutor

/** Keeps the receiver of one builder out of another inside it. */
@DslMarker
@Target(AnnotationTarget.CLASS)
internal annotation class Builder

/**
 * Sends the commands that [build] adds together, as [Pipeline] does, and suspends until all replies are there. They are
 * read by [Result.get] then:
 *
 * ```
 * val (length, queue) = client.pipeline {
 *     Pair(add(Lists.rpush("queue", "a", "b")), add(Lists.lrange("queue", 0, -1)))
 * }
 * println("${length.get()} ${queue.get()}")
 * ```
 *
 * Nothing is sent if [build] throws. A thread of [Dispatchers.IO] waits for the replies. A coroutine that is cancelled
 * meanwhile does not: what was sent runs, and elements that it pops go to `RedisOptions.withUnclaimed`, or to
 * `RedisOptions.withInDoubt` if no reply tells of them.
 *
 * @param timeout for all of it; null for the usual time
 * @return what [build] returns
 * @throws io.samewire.core.SamewireException what [Pipeline.execute] throws
 */
public suspend fun <R> CommandClient.pipeline(timeout: Duration? = null, build: suspend PipelineScope.() -> R): R {
    val scope = PipelineScope(pipeline())
    val built = scope.build()
    Dispatchers.IO.asExecutor().await({ scope.added.handOver(async(), it.exceptionOrNull()) }) {
        scope.execute(timeout)
    }
    return built
}

/** Adds commands to a pipeline. Not thread-safe. */
@Builder
public class PipelineScope internal constructor(private val pipeline: Pipeline) {
    internal val added = Added()

    /**
     * Adds a command, which is sent at the end of the builder.
     *
     * @return where its reply will be
     * @throws io.samewire.core.SamewireException as [Pipeline.add]
     */
    public fun <T> add(command: Command<T>): Result<T> = added.note(command, pipeline.add(command))

    internal fun execute(timeout: Duration?) {
        if (timeout == null) pipeline.execute() else pipeline.execute(timeout.toJavaDuration())
    }
}

/** Commands that were added, and where their replies will be. */
internal class Added {
    private class Pending<T>(val command: Command<T>, val result: Result<T>) {
        fun handOver(client: AsyncClient, failure: Throwable?) {
            val why = if (result.isDone) result.failure() else failure
            if (why != null) {
                client.inDoubt(command, why)
            } else if (result.isDone) {
                client.handOver(command, result.get())
            }
        }
    }

    private val all = ArrayList<Pending<*>>()

    fun <T> note(command: Command<T>, result: Result<T>): Result<T> {
        all.add(Pending(command, result))
        return result
    }

    /**
     * Hands over what was popped, or may have been, for a coroutine that has left.
     *
     * @param failure that of commands without a reply; null if these have not run
     */
    fun handOver(client: AsyncClient, failure: Throwable?) = all.forEach { it.handOver(client, failure) }
}
