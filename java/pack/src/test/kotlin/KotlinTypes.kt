package sample

import io.samewire.core.Code
import io.samewire.core.SamewireException
import io.samewire.pack.As
import io.samewire.pack.Converter
import io.samewire.pack.Default
import io.samewire.pack.KeptTexts
import io.samewire.pack.LanguageRecords
import io.samewire.pack.Name
import io.samewire.pack.Pack
import io.samewire.pack.Profile
import java.time.LocalDate
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue

enum class Kind { NOVEL, ESSAY }

data class Author(val name: String, val born: Int? = null)

@JvmInline
value class Isbn(val text: String) {
    init {
        require(text.isNotEmpty()) { "an ISBN is not empty" }
    }
}

data class Book(
    val title: String,
    val year: Int = 1900,
    val tags: List<String?>,
    val author: Author?,
    var rating: Double?,
    val byName: Map<String, List<Author?>>,
    val kind: Kind,
    @Name("ISBN") val isbn: Isbn,
    val any: Any?,
    val on: LocalDate,
    val raw: ByteArray,
)

class Counts(
    val small: UInt,
    val large: ULong,
    val all: List<UInt>,
    val maybe: UInt?,
    val row: UIntArray,
    val ids: List<Isbn>,
    val other: Isbn?,
)

sealed interface Shape

data class Circle(val r: Double) : Shape

data class Square(val side: Double = 2.0, val twice: Double = side * 2, val name: String) : Shape

object Nowhere : Shape

data class Drawing(val shapes: List<Shape>)

@Name("Square")
data class Named(val name: String)

@Name("Wide")
data class Narrow(val name: String)

@Name("Square")
data class Sides(val name: String, val side: Double?, val twice: Double?)

data class Generic<T>(val item: T, val more: T?)

data class Generics(val of: Generic<List<String?>>)

class Fields {
    var text: String? = null
    var items: List<String?> = listOf()
}

class Lost(seed: Int, val name: String) {
    val twice = 2 * seed
}

data class Flags(val all: List<Flag>)

@JvmInline
value class Flag(val on: Boolean)

data class Unsigned(
    val keys: Set<UInt>,
    val byKey: Map<UInt, ULong?>,
    val small: UByte,
    val short: UShort?,
    val pair: Pair<String, UInt>,
    val triple: Triple<UInt, ULong, UByte?>,
)

@JvmInline
value class Nest(val all: List<Nest>)

data class Nested(val nest: Nest)

@JvmInline
value class Links(val all: List<Linked>)

data class Linked(val name: String, val next: Links)

data class Ranged(val range: IntRange)

data class Paired(val of: Pair<String, Int?>)

data class Timed(val took: kotlin.time.Duration)

class Cents : Converter<Money, Long> {
    override fun encode(value: Money) = value.cents

    override fun decode(wire: Long) = Money(wire)
}

class Money(val cents: Long)

data class Priced(val price: @As(Cents::class) Money, @Default("7") val count: Int = 8)

data class Item(val name: String)

data class Wide(
    val a0: Int = 0, val a1: Int = 1, val a2: Int = 2, val a3: Int = 3, val a4: Int = 4, val a5: Int = 5,
    val a6: Int = 6, val a7: Int = 7, val a8: Int = 8, val a9: Int = 9, val b0: Int = 10, val b1: Int = 11,
    val b2: Int = 12, val b3: Int = 13, val b4: Int = 14, val b5: Int = 15, val b6: Int = 16, val b7: Int = 17,
    val b8: Int = 18, val b9: Int = 19, val c0: Int = 20, val c1: Int = 21, val c2: Int = 22, val c3: Int = 23,
    val c4: Int = 24, val c5: Int = 25, val c6: Int = 26, val c7: Int = 27, val c8: Int = 28, val c9: Int = 29,
    val d0: Int = 30, val d1: Int = 31, val d2: Long = 32, val name: String,
)

class Printed(val copies: Int = 1, val name: String) {
    constructor(copies: Int, name: String, isbn: Isbn) : this(copies, name + isbn.text)
}

@Name("Printed")
data class Unprinted(val name: String)

class KotlinTypes {
    private fun refused(type: Class<*>) = assertThrows(SamewireException::class.java) { Pack.codec(type) }

    private fun <T : Any> read(type: Class<T>, written: Any, profile: Profile): T {
        val writer = Pack.builder(written.javaClass).profile(profile).build()
        return Pack.codec(type).resolve(writer.schema().text()).decode(writer.encode(written))
    }

    fun data_class_has_the_schema_and_bytes_of_the_record() {
        val book = Book("Carrie", 1974, listOf(null, "horror"), Author("King"), 4.5, mapOf("a" to listOf(null)),
            Kind.ESSAY, Isbn("385"), null, LocalDate.EPOCH, byteArrayOf(1))
        val record = LanguageRecords.Book("Carrie", 1974, listOf(null, "horror"), LanguageRecords.Author("King", null),
            4.5, mapOf("a" to listOf(null)), LanguageRecords.Kind.ESSAY, "385", null, LocalDate.EPOCH, byteArrayOf(1))
        for (profile in Profile.values()) {
            val codec = Pack.builder(Book::class.java).profile(profile).build()
            val records = Pack.builder(LanguageRecords.Book::class.java).profile(profile).build()
            assertEquals(records.schema(), codec.schema())
            assertArrayEquals(records.encode(record), codec.encode(book))
            val back = codec.decode(codec.encode(book))
            assertEquals(book, back.copy(raw = book.raw))
        }
    }

    fun unsigned_numbers_and_value_classes_are_what_they_hold() {
        val counts = Counts(UInt.MAX_VALUE, ULong.MAX_VALUE, listOf(3000000000u), 1u, uintArrayOf(4000000000u),
            listOf(Isbn("1")), Isbn("2"))
        val record = LanguageRecords.Counts(-1, -1, listOf(3000000000u.toInt()), 1, intArrayOf(4000000000u.toInt()),
            listOf("1"), "2")
        val codec = Pack.codec(Counts::class.java)
        assertEquals(Pack.codec(LanguageRecords.Counts::class.java).schema(), codec.schema())
        assertArrayEquals(Pack.codec(LanguageRecords.Counts::class.java).encode(record), codec.encode(counts))
        val back = codec.decode(codec.encode(counts))
        assertEquals(listOf(counts.small, counts.large, counts.all, counts.maybe, counts.ids, counts.other),
            listOf(back.small, back.large, back.all, back.maybe, back.ids, back.other))
        assertEquals(counts.row.toList(), back.row.toList())
    }

    fun constructor_of_a_value_class_checks_what_is_read() {
        val record = LanguageRecords.Counts(0, 0, listOf(), null, intArrayOf(), listOf("1"), "")
        val data = Pack.codec(LanguageRecords.Counts::class.java).encode(record)
        val error = assertThrows(SamewireException::class.java) { Pack.codec(Counts::class.java).decode(data) }
        assertEquals(Code.TYPE_MISMATCH, error.code())
        assertTrue(error.toString().contains("an ISBN is not empty"), error.toString())
    }

    fun null_where_kotlin_allows_none_is_refused() {
        val error = assertThrows(SamewireException::class.java) {
            @Suppress("UNCHECKED_CAST")
            Pack.codec(Drawing::class.java).encode(Drawing(listOf<Shape?>(null) as List<Shape>))
        }
        assertEquals("$.shapes[0]", error.path())
        assertTrue(error.message!!.contains("null"), error.message)
    }

    fun sealed_interface_is_a_union_and_an_object_its_only_value() {
        val drawing = Drawing(listOf(Circle(1.0), Nowhere, Square(1.0, 3.0, "n")))
        val record = LanguageRecords.Drawing(listOf(LanguageRecords.Circle(1.0), LanguageRecords.Nowhere(),
            LanguageRecords.Square(1.0, 3.0, "n")))
        for (profile in Profile.values()) {
            val codec = Pack.builder(Drawing::class.java).profile(profile).build()
            val records = Pack.builder(LanguageRecords.Drawing::class.java).profile(profile).build()
            assertEquals(records.schema(), codec.schema())
            assertArrayEquals(records.encode(record), codec.encode(drawing))
            val back = codec.decode(codec.encode(drawing))
            assertEquals(drawing, back)
            assertSame(Nowhere, back.shapes[1])
        }
    }

    fun constructor_makes_defaults_of_fields_that_the_writer_lacks() {
        for (profile in Profile.values()) {
            assertEquals(Square(name = "n"), read(Square::class.java, Named("n"), profile))
        }
    }

    fun null_takes_the_default_of_a_field_that_is_required() {
        for (profile in Profile.values()) {
            val all = Sides("n", 5.0, null)
            assertEquals(Square(5.0, 10.0, "n"), read(Square::class.java, all, profile))
        }
    }

    fun another_constructor_with_a_value_class_does_not_make_defaults() {
        for (profile in Profile.values()) {
            val printed = read(Printed::class.java, Unprinted("n"), profile)
            assertEquals(Pair(1, "n"), Pair(printed.copies, printed.name))
        }
    }

    fun defaults_beyond_the_first_mask() {
        assertEquals(Wide(name = "n"), read(Wide::class.java, Narrow("n"), Profile.COMPACT))
    }

    fun type_arguments_keep_their_nullability() {
        val generic = "struct Generic { item: list<option<string>>, more: option<list<option<string>>> }"
        assertEquals("struct Generics { of: $generic }", Pack.codec(Generics::class.java).schema().text())
    }

    fun properties_of_a_class_without_parameters_keep_theirs() {
        assertEquals("struct Fields { text: option<string>, items: list<option<string>> }",
            Pack.codec(Fields::class.java).schema().text())
    }

    fun annotations_of_pack_apply() {
        val codec = Pack.codec(Priced::class.java)
        assertEquals("struct Priced { price: i64, count: i32 }", codec.schema().text())
    }

    fun parameter_that_is_no_property_is_refused() {
        val error = refused(Lost::class.java)
        assertEquals(Code.MISUSE, error.code())
        assertTrue(error.message!!.contains("put val or var before it"), error.message)
    }

    fun value_class_of_a_boolean_is_refused() {
        val error = refused(Flags::class.java)
        assertTrue(error.message!!.contains("sample.Flag cannot be written as java.lang.Boolean"), error.message)
    }

    fun error_texts_are_those_that_are_kept() {
        val texts = KeptTexts.ofClasses(MISTAKES)
        assertEquals(KeptTexts.kept("error_texts_kotlin.txt", texts), texts)
        assertTrue(MISTAKES.size >= 30 && "no error" !in texts, texts)
    }

    fun unsigned_numbers_are_carried_everywhere() {
        val all = Unsigned(setOf(4000000000u), mapOf(1u to null, 2u to ULong.MAX_VALUE), 255u, null, "a" to 3u,
            Triple(1u, ULong.MAX_VALUE, null))
        val codec = Pack.codec(Unsigned::class.java)
        assertEquals("struct Unsigned { keys: set<u32>, byKey: map<u32, option<u64>>, small: u8, short: option<u16>, "
            + "pair: struct Pair { first: string, second: u32 }, triple: struct Triple { first: u32, second: u64, "
            + "third: option<u8> } }", codec.schema().text())
        assertEquals(all, codec.decode(codec.encode(all)))
    }

    fun value_class_in_itself_is_refused() {
        for (type in listOf(Nest::class.java, Nested::class.java)) {
            val error = refused(type)
            assertEquals(Code.MISUSE, error.code())
            assertTrue(error.message!!.contains("contains itself without a struct between"), error.message)
        }
        assertEquals("$.nest[]", refused(Nested::class.java).path())
    }

    fun value_class_is_in_itself_through_a_struct() {
        val linked = Linked("a", Links(listOf(Linked("b", Links(listOf())))))
        val codec = Pack.codec(Linked::class.java)
        assertEquals("struct Linked { name: string, next: list<Linked> }", codec.schema().text())
        assertEquals(linked, codec.decode(codec.encode(linked)))
        val links = Pack.codec(Links::class.java)
        assertEquals(linked.next, links.decode(links.encode(linked.next)))
    }

    fun pair_is_a_struct() {
        val codec = Pack.codec(Paired::class.java)
        assertEquals("struct Paired { of: struct Pair { first: string, second: option<i32> } }", codec.schema().text())
        assertEquals(Paired("a" to null), codec.decode(codec.encode(Paired("a" to null))))
    }

    fun other_types_of_kotlins_library_are_refused() {
        assertTrue(refused(Ranged::class.java).message!!.contains("there is no schema for kotlin.ranges.IntRange"))
        val error = refused(Timed::class.java)
        assertEquals(Code.UNSUPPORTED, error.code())
        assertTrue(error.message!!.contains("use java.time.Duration"), error.message)
    }
}
