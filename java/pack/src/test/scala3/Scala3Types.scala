package sample

import io.samewire.core.SamewireException
import io.samewire.pack.{KeptTexts, Pack}
import scala.jdk.CollectionConverters.*
import org.junit.jupiter.api.Assertions.{assertEquals, assertThrows, assertTrue}

enum Season extends java.lang.Enum[Season] {
  case Summer, Winter
}

enum Colour {
  case Red, Green
}

case class Dated(season: Season)

case class Painted(colour: Colour)

class Scala3Types extends ScalaTypes {
  def enum_that_extends_that_of_java_is_an_enum(): Unit = {
    val codec = Pack.codec(classOf[Dated])
    assertEquals("struct Dated { season: enum Season { Summer, Winter } }", codec.schema().text())
    assertEquals(Dated(Season.Winter), codec.decode(codec.encode(Dated(Season.Winter))))
  }

  def error_texts_are_those_that_are_kept(): Unit = {
    val texts = KeptTexts.ofClasses(MISTAKES.asJava)
    assertEquals(KeptTexts.kept("error_texts_scala.txt", texts), texts)
    assertTrue(MISTAKES.size >= 30 && !texts.contains("no error"), texts)
  }

  def other_enum_is_refused(): Unit = {
    val error = assertThrows(classOf[SamewireException], () => { Pack.codec(classOf[Painted]); () })
    assertTrue(error.getMessage.contains("let the enum extend java.lang.Enum[Colour]"), error.getMessage)
  }
}
