package io.samewire.redis.kotlin

import io.samewire.redis.client.AsyncClient
import io.samewire.redis.client.CommandClient
import io.samewire.redis.command.Command
import java.util.Optional
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.suspendCancellableCoroutine

/**
 * Sends a command of [CommandClient.async] and suspends until its reply is there. No thread waits.
 *
 * Cancelling the coroutine cancels the call, as cancelling the future of [AsyncClient.execute] does: one that is not
 * written yet is not sent, and the server is asked to end the wait of a blocking command. An element that it had popped
 * by then goes to `RedisOptions.withUnclaimed`, and a call of which no reply tells to `RedisOptions.withInDoubt`, also
 * if the coroutine was cancelled behind the reply, before it ran again.
 *
 * In [kotlinx.coroutines.Dispatchers.Unconfined] the coroutine goes on in the thread that reads replies, and must not
 * block it.
 *
 * @throws io.samewire.redis.resp.RedisException if the server replies with an error
 * @throws io.samewire.redis.client.ConnectionException if the connection was lost and the command cannot be sent again,
 *     or its time is over
 * @throws io.samewire.core.SamewireException if the reply cannot be read so; `misuse` if the command changes the
 *     connection
 */
public suspend fun <T> AsyncClient.await(command: Command<T>): T = reply(this, command) { execute(command) }

/**
 * Does the same with a time of its own for the call, instead of `RedisOptions.withCommandTimeout`.
 *
 * @throws io.samewire.core.SamewireException as the other; `misuse` if the time is not above 0
 */
public suspend fun <T> AsyncClient.await(command: Command<T>, timeout: Duration): T =
    reply(this, command) { execute(command, timeout.toJavaDuration()) }

/** Sends a command and suspends until its reply is there: [AsyncClient.await] of [CommandClient.async]. */
public suspend fun <T> CommandClient.await(command: Command<T>): T = async().await(command)

/** Does the same with a time of its own for the call. */
public suspend fun <T> CommandClient.await(command: Command<T>, timeout: Duration): T = async().await(command, timeout)

/** Sends a command and suspends until its reply is there; null if there is no value: [CommandClient.await]. */
public suspend fun <T : Any> CommandClient.awaitOrNull(command: Command<Optional<T>>): T? =
    await(command).orElse(null)

/** Does the same with a time of its own for the call. */
public suspend fun <T : Any> CommandClient.awaitOrNull(command: Command<Optional<T>>, timeout: Duration): T? =
    await(command, timeout).orElse(null)

private suspend fun <T> reply(client: AsyncClient, command: Command<T>, send: () -> CompletableFuture<T>): T {
    currentCoroutineContext().ensureActive()
    val outcome = suspendCancellableCoroutine { waiting ->
        val call = send()
        waiting.invokeOnCancellation { call.cancel(false) }
        call.whenComplete { reply, thrown ->
            val failure = (thrown as? CompletionException)?.cause ?: thrown
            val outcome = if (failure == null) Result.success(reply) else Result.failure(failure)
            waiting.resume(outcome) { _, left, _ ->
                left.fold({ client.handOver(command, it) }, { client.inDoubt(command, it) })
            }
        }
    }
    return outcome.getOrThrow()
}
