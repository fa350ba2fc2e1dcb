package sample

import io.samewire.pack.Erased
import java.time.{LocalDateTime, ZonedDateTime}
import scala.collection.immutable.SortedMap
import scala.collection.mutable.ListBuffer
import scala.concurrent.duration.FiniteDuration
import scala.util.Try

enum Tree {
  case Leaf(value: Int)
  case Empty
}

trait Animal

case class Money(cents: Long)

case class ALocalDateTime(at: Map[String, List[LocalDateTime]])

case class AZonedDateTime(at: Option[ZonedDateTime])

case class AFiniteDuration(took: FiniteDuration)

case class AUnit(unit: Unit)

case class ANull(nothing: Null)

case class AnEither(either: Either[String, Int])

case class AnEitherOfTexts(either: Either[String, String])

case class ATry(result: Try[Int])

case class ATuple(pair: (Int, String))

case class AListOfTuples(pairs: List[(String, String)])

case class ATupleOf23(
    all: (
        Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int
    )
)

case class AnEmptyTuple(none: EmptyTuple)

case class ASome(some: Some[String])

case class ANestedOption(option: Option[Option[String]])

case class AnOptionOfAny(@Erased(Array(classOf[Any])) option: Option[Any])

case class AnOptionOfInt(option: Option[Int])

case class AListOfAny(all: List[Any])

case class AFunction(action: Int => Int)

case class ALazyList(all: LazyList[String])

case class ABuffer(all: ListBuffer[String])

case class ASortedMap(all: SortedMap[String, String])

case class ARange(range: Range)

case class ASymbol(symbol: Symbol)

case class AColour(colour: Colour)

case class ATree(tree: Tree)

case class AnAnimal(animal: Animal)

case class ATraitWithoutMembers(all: List[Open])

case class KeysOfStructs(all: Map[Money, String])

case class KeysOfDecimals(all: Set[BigDecimal])

case class Implicit(name: String)(implicit order: Ordering[String])

case class On(on: Boolean) extends AnyVal

case class Flagged(all: List[On])

case class Empty()

val MISTAKES: List[Class[?]] = List(classOf[ALocalDateTime], classOf[AZonedDateTime], classOf[AFiniteDuration],
  classOf[AUnit], classOf[ANull], classOf[AnEither], classOf[AnEitherOfTexts], classOf[ATry], classOf[ATuple],
  classOf[AListOfTuples], classOf[ATupleOf23], classOf[AnEmptyTuple], classOf[ASome], classOf[ANestedOption],
  classOf[AnOptionOfAny], classOf[AnOptionOfInt], classOf[AListOfAny], classOf[AFunction], classOf[ALazyList],
  classOf[ABuffer], classOf[ASortedMap], classOf[ARange], classOf[ASymbol], classOf[AColour], classOf[ATree],
  classOf[AnAnimal], classOf[ATraitWithoutMembers], classOf[KeysOfStructs], classOf[KeysOfDecimals],
  classOf[Implicit], classOf[Flagged], classOf[Empty], classOf[Generic[?]], classOf[Tuple2[?, ?]])
