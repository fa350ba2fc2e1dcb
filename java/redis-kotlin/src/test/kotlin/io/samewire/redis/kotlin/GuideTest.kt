package io.samewire.redis.kotlin

import java.io.ByteArrayOutputStream
import java.io.PrintStream
import kotlin.io.path.Path
import kotlin.io.path.readText
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import shop.program

/** The program of the page on Java's client is compiled here, and prints what the page says. */
@Tag("compilers")
class GuideTest : OnOneServer() {
    private val root = Path(System.getProperty("samewire.root"))
    private val section = root.resolve("docs/redis-java.md").readText().substringAfter("\n## Kotlin\n")

    private fun block(language: String) = section.substringAfter("```$language\n").substringBefore("```")

    @Test
    fun `the program of the guide is the one that is compiled`() {
        val compiled = root.resolve("java/redis-kotlin/src/test/kotlin/shop/Guide.kt").readText()
        assertEquals(compiled, block("kotlin"))
    }

    @Test
    fun `prints what the guide says`() = waiting {
        val printed = ByteArrayOutputStream()
        val usual = System.out
        System.setOut(PrintStream(printed, true))
        try {
            program(server.uri())
        } finally {
            System.setOut(usual)
        }
        assertEquals(block("text"), printed.toString())
    }
}
