package shop

import io.samewire.redis.client.RedisClient
import io.samewire.redis.command.Keys
import io.samewire.redis.command.Lists
import io.samewire.redis.command.PubSub
import io.samewire.redis.command.Strings
import io.samewire.redis.kotlin.await
import io.samewire.redis.kotlin.awaitOrNull
import io.samewire.redis.kotlin.pipeline
import io.samewire.redis.kotlin.scanAsFlow
import io.samewire.redis.kotlin.subscribeAsFlow
import io.samewire.redis.kotlin.transaction
import io.samewire.redis.kotlin.withLock
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.future.await

data class Book(val name: String, val author: String?, val year: Int = 1974)

suspend fun program(uri: String) = RedisClient.connect(uri).use { client ->
    client.await(Strings.set("greeting", "hello"))
    println(client.awaitOrNull(Strings.get("greeting")))

    val (length, queue) = client.pipeline {
        add(Lists.rpush("queue", "a", "b")) to add(Lists.lrange("queue", 0, -1))
    }
    println("${length.get()} ${queue.get()}")

    client.await(Strings.set("balance", "25"))
    val left = client.transaction {
        watch("balance")
        val balance = await(Strings.get("balance")).orElse("0").toLong()
        check(balance >= 10) { "too little" }
        add(Strings.decrby("balance", 10))
    }
    println(left?.get() ?: "another one has changed the balance")

    val books = client.store(Book::class.java, "book:").async()
    books.put("1001", Book("Carrie", null)).await()
    println(client.scanAsFlow { Keys.scan(it).match("book:*") }.toList())
    println(books.get("1001").await().get())

    coroutineScope {
        val news = async { client.subscribeAsFlow("news").first().text() }
        while (client.await(PubSub.publish("news", "sold out")) == 0L) delay(10)
        println(news.await())
    }
    client.lock("orders").withLock { println("alone") }
}
