package io.samewire.redis.kotlin

import io.samewire.core.SamewireException
import io.samewire.pack.Pack
import io.samewire.redis.client.RedisClient
import io.samewire.redis.client.ValkeyServer
import java.util.Optional
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test

enum class Genre { HORROR, CRIME }

data class Author(val name: String, val born: Int?)

data class Book(
    val title: String,
    val year: Int = 1900,
    val tags: List<String?> = listOf(),
    val genre: Genre?,
    val author: Author,
)

sealed interface Shape
data class Circle(val radius: Double) : Shape
data class Square(val side: Double, val name: String? = null) : Shape
data object Nothing : Shape

data class Drawing(val shapes: List<Shape>, val background: Shape?)

/** Earlier versions. */
class Before {
    data class Book(val title: String, val genre: Genre?, val author: io.samewire.redis.kotlin.Author)

    data class Author(val name: String?, val born: Int?)
}

/** Runs twice: where classes are defined, and where their code is interpreted. */
@Tag("compilers")
class TypedValuesTest {
    private val book = Book("Carrie", 1974, listOf("novel", null), Genre.HORROR, Author("King", null))

    @Test
    fun `a data class has the schema of the equal record`() {
        assertEquals("struct Book { title: string, year: i32, tags: list<option<string>>, genre: option<enum Genre { "
            + "CRIME, HORROR }>, author: struct Author { name: string, born: option<i32> } }",
            Pack.codec(Book::class.java).schema().text())
    }

    @Test
    fun `a data class is read as it was written`() {
        val codec = Pack.codec(Book::class.java)
        for (value in listOf(book, Book(title = "", genre = null, author = Author("", 1947)))) {
            assertEquals(value, codec.decode(codec.encode(value)))
        }
    }

    @Test
    fun `a default of the constructor stands for a field that the writer lacked`() {
        val written = Pack.codec(Before.Book::class.java)
        val bytes = written.encode(Before.Book("It", null, Author("King", 1947)))
        val read = Pack.codec(Book::class.java).resolve(written.schema().text()).decode(bytes)
        assertEquals(Book(title = "It", genre = null, author = Author("King", 1947)), read)
    }

    @Test
    fun `a sealed interface is a union`() {
        val codec = Pack.codec(Drawing::class.java)
        val drawing = Drawing(listOf(Circle(1.5), Square(2.0), Nothing, Square(3.0, "big")), null)
        val read = codec.decode(codec.encode(drawing))
        assertEquals(drawing, read)
        assertTrue(read.shapes[2] === Nothing)
    }

    @Test
    fun `null is refused where the type has no question mark`() {
        val written = Pack.codec(Before.Author::class.java)
        val bytes = written.encode(Before.Author(null, 1947))
        val read = assertThrows(SamewireException::class.java) {
            Pack.codec(Author::class.java).resolve(written.schema().text()).decode(bytes)
        }
        assertTrue(read.message!!.contains("name"), read.message)
    }

    @Test
    fun `equal values have equal bytes`() {
        val codec = Pack.codec(Book::class.java)
        assertArrayEquals(codec.encode(book), codec.encode(book.copy()))
    }

    @Test
    fun `a store keeps them, for coroutines too`(): Unit = runBlocking {
        ValkeyServer.start().use { server ->
            RedisClient.connect(server.uri()).use { client ->
                val books = client.store(Book::class.java, "book:").async()
                books.put("1001", book).await()
                assertEquals(Optional.of(book), books.get("1001").await())
            }
        }
    }
}
