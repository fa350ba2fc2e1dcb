package io.samewire.redis.kotlin

import io.samewire.redis.client.CommandClient
import io.samewire.redis.client.Message
import io.samewire.redis.command.Command
import io.samewire.redis.command.ScanPage
import java.util.concurrent.Flow.Publisher
import java.util.concurrent.Flow.Subscriber
import java.util.concurrent.Flow.Subscription
import kotlin.time.Duration
import kotlin.time.toJavaDuration
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/** How many messages are requested beyond those that were collected; half of them at once. */
private const val MESSAGES_AHEAD = 64

/**
 * Returns all that a scan finds, page after page, each asked for when the one before it was collected:
 * `client.scanAsFlow { Keys.scan(it).match("user:*") }`. The flow is cold: each collection is a scan of its own. An
 * element that is there during the whole scan comes at least once; it may come twice. The flow throws what
 * [CommandClient.execute] throws; cancelling it cancels the call for a page.
 *
 * @param timeout for each page; null for the usual time
 * @param page makes the command for the page at a cursor
 */
public fun <T : Any> CommandClient.scanAsFlow(
    timeout: Duration? = null,
    page: (cursor: String) -> Command<ScanPage<T>>,
): Flow<T> = collecting(1) {
    if (timeout == null) reactive().scan(page) else reactive().scan(page, timeout.toJavaDuration())
}

/**
 * Returns the messages of channels. The flow is cold: each collection has a subscriber of its own, with its connection,
 * which it makes at first and closes when it ends or is cancelled. Messages of before the server has confirmed are not
 * heard.
 *
 * No message is dropped while it is collected. Those that were not collected yet wait: 65,536 messages or 64 MiB at
 * most, then no more are read, and the server keeps them as far as its `client-output-buffer-limit` allows. Beyond that
 * it closes the connection. The flow never completes: a lost connection, a refusal and the client's end are a
 * [io.samewire.redis.client.ConnectionException] or [io.samewire.redis.resp.RedisException] behind the messages that
 * had come; `retry { }` subscribes again.
 *
 * @throws io.samewire.core.SamewireException `misuse`, when it is collected, if no channel is given
 */
public fun CommandClient.subscribeAsFlow(vararg channels: CharSequence): Flow<Message> =
    collecting(MESSAGES_AHEAD) { reactive().subscribe(*channels) }

/** Returns the messages of channels that match patterns, as [subscribeAsFlow] does. */
public fun CommandClient.psubscribeAsFlow(vararg patterns: CharSequence): Flow<Message> =
    collecting(MESSAGES_AHEAD) { reactive().psubscribe(*patterns) }

/** Returns the messages of channels of shards, as [subscribeAsFlow] does. */
public fun CommandClient.ssubscribeAsFlow(vararg channels: CharSequence): Flow<Message> =
    collecting(MESSAGES_AHEAD) { reactive().ssubscribe(*channels) }

/** Collects from a publisher, of which it requests so many elements ahead. */
private fun <T : Any> collecting(ahead: Int, publisher: () -> Publisher<T>): Flow<T> = flow {
    val elements = Elements<T>()
    publisher().subscribe(elements)
    try {
        elements.subscription.request(ahead.toLong())
        val step = maxOf(1, ahead / 2)
        var taken = 0
        for (element in elements.received) {
            emit(element)
            if (++taken == step) {
                taken = 0
                elements.subscription.request(step.toLong())
            }
        }
    } finally {
        elements.subscription.cancel()
    }
}

/** What was requested of one of the client's publishers, which calls `onSubscribe` in `subscribe`. */
private class Elements<T : Any> : Subscriber<T> {
    lateinit var subscription: Subscription

    /** Holds what was requested at most. */
    val received = Channel<T>(Channel.UNLIMITED)

    override fun onSubscribe(made: Subscription) {
        subscription = made
    }

    override fun onNext(element: T) {
        received.trySend(element)
    }

    override fun onError(failure: Throwable) {
        received.close(failure)
    }

    override fun onComplete() {
        received.close()
    }
}
