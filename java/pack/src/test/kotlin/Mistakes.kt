package sample

import java.time.LocalDateTime
import java.time.Period
import java.time.ZonedDateTime
import java.util.Locale

data class ALocalDateTime(val at: Map<String, List<LocalDateTime?>>)

data class AZonedDateTime(val at: ZonedDateTime)

data class APeriod(val every: Period)

data class ADuration(val took: kotlin.time.Duration?)

data class ARange(val range: IntRange)

data class AResult(val result: Result<Int>)

data class ListOfResults(val results: List<Result<Int>>)

data class AUnit(val unit: Unit)

data class ANothing(val nothing: Nothing?)

data class AFunction(val action: (Int) -> Int)

data class ASequence(val all: Sequence<Int>)

data class ALazy(val value: Lazy<Int>)

data class ARegex(val pattern: Regex)

data class ALocale(val locale: Locale)

data class AThrowable(val error: Throwable)

data class ABuilder(val text: StringBuilder)

data class ANumber(val number: Number)

interface OpenInterface

abstract class OpenClass

data class AnOpenInterface(val all: List<OpenInterface>)

data class AnOpenClass(val one: OpenClass?)

sealed class Outcome<out T> {
    data class Ok<T>(val value: T) : Outcome<T>()

    data class Bad(val text: String) : Outcome<Nothing>()
}

data class AnOutcome(val outcome: Outcome<Int>)

sealed interface Level

enum class Grade : Level { HIGH, LOW }

data class EnumInAUnion(val level: Level)

data class KeysOfDoubles(val all: Map<Double, String>)

data class KeysOfStructs(val all: Map<Item, String>)

data class KeysThatMayBeNull(val all: Map<String?, String>)

@JvmInline
value class Maybe(val text: String?)

data class ValueThatMayBeNull(val maybe: Maybe)

@JvmInline
value class Box<T>(val value: T)

data class ABox(val box: Box<String>)

@JvmInline
value class On(val on: Boolean)

data class ABoolean(val on: On)

data class Page<T>(val items: List<T>)

class NotKept(seed: Int, val name: String)

class OfPages<T>(val page: T)

val MISTAKES: List<Class<*>> = listOf(ALocalDateTime::class.java, AZonedDateTime::class.java, APeriod::class.java,
    ADuration::class.java, ARange::class.java, AResult::class.java, ListOfResults::class.java, AUnit::class.java,
    ANothing::class.java, AFunction::class.java, ASequence::class.java, ALazy::class.java, ARegex::class.java,
    ALocale::class.java, AThrowable::class.java, ABuilder::class.java, ANumber::class.java,
    AnOpenInterface::class.java, AnOpenClass::class.java, AnOutcome::class.java, EnumInAUnion::class.java,
    KeysOfDoubles::class.java,
    KeysOfStructs::class.java, KeysThatMayBeNull::class.java, ValueThatMayBeNull::class.java, ABox::class.java,
    ABoolean::class.java, NotKept::class.java, OfPages::class.java, Nest::class.java,
    Nested::class.java)
