package sample

import io.samewire.core.{Code, SamewireException}
import io.samewire.pack.{Erased, LanguageRecords, Members, Name, Pack, Profile, TypeRef}
import java.time.LocalDate
import java.util
import scala.collection.immutable.{SeqMap, TreeMap, TreeSet}
import org.junit.jupiter.api.Assertions.{assertArrayEquals, assertEquals, assertSame, assertThrows, assertTrue}

case class Author(name: String, @Erased(Array(classOf[Int])) born: Option[Int] = None)

// An enum of Java's serves Scala as well.
case class Book(
    title: String,
    year: Int = 1900,
    tags: List[Option[String]],
    author: Option[Author],
    @Erased(Array(classOf[Double])) rating: Option[Double],
    byName: Map[String, Vector[Option[Author]]],
    kind: LanguageRecords.Kind,
    @Name("ISBN") isbn: String,
    any: Any,
    on: LocalDate,
    raw: Array[Byte]
)

@Members(Array(classOf[Circle], classOf[Square], classOf[Nowhere.type]))
sealed trait Shape

case class Circle(r: Double) extends Shape

case class Square(side: Double = 2.0, twice: Double = 4.0, name: String) extends Shape

case object Nowhere extends Shape

case class Drawing(shapes: List[Shape])

@Name("Square")
case class Named(name: String)

@Name("Square")
case class Sides(name: String, @Erased(Array(classOf[Double])) side: Option[Double])

case class Numbers(big: BigInt, exact: BigDecimal)

case class Containers(
    names: Set[String],
    row: Seq[String],
    @Erased(Array(classOf[Int], classOf[Int])) counts: Map[Int, Option[Int]],
    @Erased(Array(classOf[Int])) options: IndexedSeq[Option[Int]],
    @Erased(Array(classOf[Any])) anything: List[Any]
)

@Name("Rows")
case class Rows(@Erased(Array(classOf[Int])) all: List[Int])

@Name("Rows")
case class OptionRows(@Erased(Array(classOf[Int])) all: List[Option[Int]])

// Its own copy and constructors are not the compiler's.
case class Copied(name: String, year: Int = 1900) {
  val twice: Int = year * 2

  def this(name: String, year: Int, twice: Int) = this(name + twice, year)

  def copy(name: String, year: Int): Copied = new Copied(name, year, year)
}

@Name("Copied")
case class Uncopied(name: String)

case class Symbols(`first name`: String, `+`: String = "p", `a-b`: String)

@Name("Symbols")
case class Fewer(`first name`: String, `a-b`: String)

case class Metres(value: Double) extends AnyVal

case class Isbn(text: String) extends AnyVal

case class Measured(
    one: Metres,
    all: List[Metres],
    isbn: Isbn,
    maybe: Option[Isbn],
    byIsbn: Map[Isbn, Metres]
)

case class Keys(
    names: Set[String],
    counts: Map[String, String],
    big: Set[BigInt]
)

case class Generic[A](item: A, more: Option[A])

case class Generics(of: Generic[String])

case class Counted(
    @Erased(Array(classOf[Int])) of: Generic[Int],
    @Erased(Array(classOf[Long])) all: Array[util.List[Long]]
)

case class Uncounted(of: Generic[Int])

case class Unnamed(counts: Map[String, Option[Int]])

case class TooMany(@Erased(Array(classOf[Int], classOf[Int])) all: List[Int])

sealed trait Open

case class Opened(open: Open)

case class Pairs(all: List[(String, String)])

case class Queued(all: scala.collection.immutable.Queue[String])

@Members(Array(classOf[Circle]))
sealed trait Stranger

case class Strange(all: List[Stranger])

class ScalaTypes {
  private def refused(kind: Class[_]): SamewireException =
    assertThrows(classOf[SamewireException], () => { Pack.codec(kind); () })

  private def read[A](kind: Class[A], written: AnyRef, profile: Profile): A = {
    val writer = Pack.builder(written.getClass.asInstanceOf[Class[AnyRef]]).profile(profile).build()
    Pack.codec(kind).resolve(writer.schema().text()).decode(writer.encode(written))
  }

  def case_class_has_the_schema_and_bytes_of_the_record(): Unit = {
    val book = Book("Carrie", 1974, List(None, Some("horror")), Some(Author("King")), Some(4.5),
      Map("a" -> Vector(None)), LanguageRecords.Kind.ESSAY, "385", null, LocalDate.EPOCH, Array[Byte](1))
    val record = new LanguageRecords.Book("Carrie", 1974, util.Arrays.asList(null, "horror"),
      new LanguageRecords.Author("King", null), 4.5, util.Map.of("a", util.Arrays.asList(null.asInstanceOf[
      LanguageRecords.Author])), LanguageRecords.Kind.ESSAY, "385", null, LocalDate.EPOCH, Array[Byte](1))
    for (profile <- Profile.values) {
      val codec = Pack.builder(classOf[Book]).profile(profile).build()
      val records = Pack.builder(classOf[LanguageRecords.Book]).profile(profile).build()
      assertEquals(records.schema(), codec.schema())
      assertArrayEquals(records.encode(record), codec.encode(book))
      assertEquals(book, codec.decode(codec.encode(book)).copy(raw = book.raw))
    }
  }

  def named_members_of_a_sealed_trait_are_a_union(): Unit = {
    val drawing = Drawing(List(Circle(1.0), Nowhere, Square(1.0, 3.0, "n")))
    val record = new LanguageRecords.Drawing(util.List.of(new LanguageRecords.Circle(1.0), new LanguageRecords.Nowhere,
      new LanguageRecords.Square(1.0, 3.0, "n")))
    for (profile <- Profile.values) {
      val codec = Pack.builder(classOf[Drawing]).profile(profile).build()
      val records = Pack.builder(classOf[LanguageRecords.Drawing]).profile(profile).build()
      assertEquals(records.schema(), codec.schema())
      assertArrayEquals(records.encode(record), codec.encode(drawing))
      val back = codec.decode(codec.encode(drawing))
      assertEquals(drawing, back)
      assertSame(Nowhere, back.shapes(1))
    }
  }

  def columns_have_options_and_collections(): Unit = {
    val codec = Pack.codec(classOf[Library])
    val library = Library(List.tabulate(100)(i => Entry("t" + i, if (i % 3 == 0) None else Some(i), Vector("a" + i % 5),
      if (i % 2 == 0) None else Some("o" + i))))
    assertEquals(library, codec.decode(codec.encode(library)))
  }

  def default_arguments_are_those_of_fields_that_the_writer_lacks(): Unit =
    for (profile <- Profile.values) {
      assertEquals(Square(name = "n"), read(classOf[Square], Named("n"), profile))
      assertEquals(Square(name = "n"), read(classOf[Square], Sides("n", None), profile))
      assertEquals(Square(5.0, 4.0, "n"), read(classOf[Square], Sides("n", Some(5.0)), profile))
    }

  def numbers_of_scala_are_those_of_java(): Unit = {
    val codec = Pack.codec(classOf[Numbers])
    assertEquals("struct Numbers { big: bigint, exact: decimal }", codec.schema().text())
    val numbers = Numbers(BigInt("123456789012345678901"), BigDecimal("1.50"))
    assertEquals(numbers, codec.decode(codec.encode(numbers)))
  }

  def containers_are_made_as_declared(): Unit = {
    val codec = Pack.codec(classOf[Containers])
    assertEquals("struct Containers { names: set<string>, row: list<string>, counts: map<i32, option<i32>>, options: "
      + "list<option<i32>>, anything: list<any> }", codec.schema().text())
    val all = Containers(Set("a", "b"), List("x"), Map(1 -> None, 2 -> Some(3)), Vector(Some(1), None), List("s"))
    val back = codec.decode(codec.encode(all))
    assertEquals(all, back)
    assertTrue(back.options.isInstanceOf[Vector[_]])
  }

  def equal_maps_without_order_have_equal_bytes(): Unit = {
    val codec = Pack.codec(classOf[Keys])
    def written(counts: Map[String, String]) = codec.encode(Keys(Set(), counts, Set()))
    val entries = List("c" -> "x", "a" -> "y", "b" -> "z")
    val sorted = written(SeqMap.from(entries.sorted))
    assertArrayEquals(sorted, written(entries.toMap))
    assertArrayEquals(sorted, written(TreeMap.from(entries)))
    val kept = written(SeqMap.from(entries))
    assertTrue(!util.Arrays.equals(sorted, kept))
    assertEquals(entries.toMap, codec.decode(kept).counts)
  }

  def case_class_with_a_copy_of_its_own_is_made_by_its_first_constructor(): Unit = {
    val codec = Pack.codec(classOf[Copied])
    assertEquals("struct Copied { name: string, year: i32 }", codec.schema().text())
    assertEquals(Copied("a", 7), codec.decode(codec.encode(Copied("a", 7))))
    assertEquals(Copied("a", 1900), read(classOf[Copied], Uncopied("a"), Profile.COMPACT))
  }

  def names_are_those_of_the_source(): Unit = {
    val codec = Pack.codec(classOf[Symbols])
    assertEquals("struct Symbols { \"first name\": string, \"+\": string, \"a-b\": string }", codec.schema().text())
    assertEquals(Symbols("x", "p", "z"), read(classOf[Symbols], Fewer("x", "z"), Profile.FAST))
  }

  def value_class_is_what_it_holds_everywhere(): Unit = {
    val codec = Pack.codec(classOf[Measured])
    assertEquals("struct Measured { one: f64, all: list<f64>, isbn: string, maybe: option<string>, byIsbn: "
      + "map<string, f64> }", codec.schema().text())
    val all = Measured(Metres(1), List(Metres(2)), Isbn("a"), Some(Isbn("b")), Map(Isbn("c") -> Metres(3)))
    assertEquals(all, codec.decode(codec.encode(all)))
  }

  def keys_of_one_hash_are_read_as_trees(): Unit = {
    val names = (0 until 2000).map(i => (0 until 11).map(j => if ((i >> j & 1) == 0) "Aa" else "BB").mkString)
    val big = (0 until 2000).map(i => (BigInt(1) << 64) + (BigInt(i) << 32) + (1 << 30) - 31 * i)
    assertEquals((1, 1), (names.map(_.hashCode).toSet.size, big.map(_.hashCode).toSet.size))
    val keys = Keys(names.toSet, names.map(name => name -> name).toMap, big.toSet)
    val codec = Pack.codec(classOf[Keys])
    val back = codec.decode(codec.encode(keys))
    assertTrue(back.names.isInstanceOf[TreeSet[_]] && back.counts.isInstanceOf[TreeMap[_, _]])
    assertTrue(back.big.isInstanceOf[TreeSet[_]])
    assertEquals(keys, back)
    val others = Keys((0 until 2000).map(_.toString).toSet, Map("b" -> "c"), Set(BigInt(1)))
    val read = codec.decode(codec.encode(others))
    assertEquals(others, read)
    assertTrue(!read.names.isInstanceOf[TreeSet[_]])
  }

  def integers_of_the_writer_become_options(): Unit =
    assertEquals(OptionRows(List(Some(1), Some(2))), read(classOf[OptionRows], Rows(List(1, 2)), Profile.COMPACT))

  def type_parameters_are_what_the_user_names(): Unit =
    assertEquals("struct Generics { of: struct Generic { item: string, more: option<string> } }",
      Pack.codec(classOf[Generics]).schema().text())

  def type_reference_keeps_what_is_not_erased(): Unit = {
    val codec = Pack.codec(new TypeRef[List[Author]] {})
    assertEquals("list<struct Author { name: string, born: option<i32> }>", codec.schema().text())
    val authors = List(Author("King", Some(1947)))
    assertEquals(authors, codec.decode(codec.encode(authors)))
    val error = assertThrows(classOf[SamewireException], () => { Pack.codec(new TypeRef[List[Int]] {}); () })
    assertTrue(error.getMessage.contains("put the type into a field of a case class"), error.getMessage)
  }

  def arguments_of_generic_classes_are_named_too(): Unit = {
    assertEquals("struct Counted { of: struct Generic { item: i32, more: option<i32> }, all: list<list<i64>> }",
      Pack.codec(classOf[Counted]).schema().text())
    assertTrue(refused(classOf[Uncounted]).getMessage.contains("sample.Uncounted.of"))
  }

  def null_is_no_option(): Unit = {
    val error = assertThrows(classOf[SamewireException], () => {
      Pack.codec(classOf[Author]).encode(Author("King", null)); ()
    })
    assertEquals("$.born", error.path())
  }

  def erased_type_argument_is_refused_with_the_annotation(): Unit = {
    val error = refused(classOf[Unnamed])
    assertEquals(Code.UNSUPPORTED, error.code())
    assertTrue(error.getMessage.contains("sample.Unnamed.counts"), error.getMessage)
    assertTrue(error.getMessage.contains("@Erased(Array(classOf[Int]))"), error.getMessage)
    assertTrue(refused(classOf[TooMany]).getMessage.contains("names 2 classes, and the type has 1"))
  }

  def sealed_trait_without_members_is_refused_with_the_annotation(): Unit = {
    val error = refused(classOf[Opened])
    assertEquals(Code.UNSUPPORTED, error.code())
    assertTrue(error.getMessage.contains("use @Members(Array(classOf[A], classOf[B]))"), error.getMessage)
  }

  def member_that_does_not_extend_the_trait_is_refused(): Unit =
    assertTrue(refused(classOf[Strange]).getMessage.contains("sample.Circle in the @Members of sample.Stranger"))

  def other_types_of_the_library_are_refused(): Unit = {
    assertTrue(refused(classOf[Pairs]).getMessage.contains("use a case class"))
    assertTrue(refused(classOf[Queued]).getMessage.contains("use List, Vector, Seq, Set or Map"))
  }
}

case class Entry(
    title: String,
    @Erased(Array(classOf[Int])) year: Option[Int],
    tags: Vector[String],
    other: Option[String]
)

case class Library(entries: List[Entry])
