package io.samewire.redis.kotlin

import io.samewire.redis.client.CommandClient
import io.samewire.redis.client.Result
import io.samewire.redis.client.Transaction
import io.samewire.redis.command.Command
import java.util.concurrent.Executor
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Runs the commands that [build] adds as one [Transaction], and suspends until it has run. What it reads of keys that
 * it watches may decide which they are; if it adds none, nothing runs.
 *
 * ```
 * val left = client.transaction {
 *     watch("balance")
 *     val balance = await(Strings.get("balance")).map(String::toLong).orElse(0)
 *     check(balance >= 10) { "too little" }
 *     add(Strings.decrby("balance", 10))
 * }
 * println(left?.get() ?: "another one has changed the balance")
 * ```
 *
 * Nothing runs if [build] throws. Threads of [kotlinx.coroutines.Dispatchers.IO] wait for replies. A coroutine that is
 * cancelled does not: a transaction that was sent by then runs, and elements that it pops go to
 * `RedisOptions.withUnclaimed`, or to `RedisOptions.withInDoubt` if no reply tells of them.
 *
 * @param timeout for each call in it and for the transaction itself; null for the usual time
 * @return what [build] returns; null if a watched key was changed, or may have been: nothing has run then
 * @throws io.samewire.core.SamewireException what [Transaction.exec] throws
 */
public suspend fun <R : Any> CommandClient.transaction(
    timeout: Duration? = null,
    build: suspend TransactionScope.() -> R,
): R? {
    val thread = oneAfterTheOther()
    val work = transaction()
    try {
        val scope = TransactionScope(work, thread, timeout)
        val built = scope.build()
        return if (thread.await({ scope.added.handOver(async(), it.exceptionOrNull()) }, scope::exec)) built else null
    } finally {
        // Behind a call that the coroutine has left.
        thread.execute(work::close)
    }
}

/** Reads and adds commands for a transaction. Not thread-safe. */
@Builder
public class TransactionScope internal constructor(
    private val work: Transaction,
    private val thread: Executor,
    private val timeout: Duration?,
) {
    internal val added = Added()

    /** Has nothing run if one of these keys is changed before the end of the builder. Throws as [Transaction.watch]. */
    public suspend fun watch(vararg keys: CharSequence) {
        thread.await {
            if (timeout == null) work.watch(*keys) else work.watch(timeout.toJavaDuration(), *keys)
        }
    }

    /**
     * Executes a command now, on the connection that watches; it is not part of the transaction. Throws as
     * [Transaction.execute].
     */
    public suspend fun <T> await(command: Command<T>): T = thread.await {
        if (timeout == null) work.execute(command) else work.execute(command, timeout.toJavaDuration())
    }

    /**
     * Adds a command to the transaction.
     *
     * @return where its reply will be
     * @throws io.samewire.core.SamewireException as [Transaction.add]
     */
    public fun <T> add(command: Command<T>): Result<T> = added.note(command, work.add(command))

    /** Returns whether it has run. */
    internal fun exec(): Boolean =
        (if (timeout == null) work.exec() else work.exec(timeout.toJavaDuration())).isPresent
}
