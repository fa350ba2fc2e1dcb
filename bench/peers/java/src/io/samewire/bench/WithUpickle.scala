package io.samewire.bench

import java.util.{Map => JavaMap}
import upickle.default._

object WithUpickle {
  def rows(): JavaMap[String, Library] = JavaMap.of(
    "upickle",
    new Library(classOf[upickle.core.Types], "typed", "syntax, types of fields", false, false, new WithUpickle(_))
  )

  private implicit val event: ReadWriter[ScalaEvent] = macroRW
  private implicit val book: ReadWriter[ScalaBook] = macroRW
  private implicit val node: ReadWriter[ScalaNode] = macroRW
}

/** uPickle: JSON by macros, as bytes. */
final class WithUpickle(workload: Workload) extends Peer {
  import WithUpickle._

  private val typed: ReadWriter[Any] = (workload.name match {
    case "event" => event
    case "ints" => implicitly[ReadWriter[Array[Int]]]
    case "doubles" => implicitly[ReadWriter[Array[Double]]]
    case "strings" | "uniqueStrings" => implicitly[ReadWriter[Seq[String]]]
    case "map" => implicitly[ReadWriter[Map[String, Int]]]
    case "tree" => node
    case _ => implicitly[ReadWriter[Seq[ScalaBook]]]
  }).asInstanceOf[ReadWriter[Any]]

  override def adapt(neutral: Any): AnyRef = ScalaModel.of(neutral)

  override def encode(value: Any): Array[Byte] = writeToByteArray(value)(typed)

  override def decode(data: Array[Byte]): AnyRef = read[Any](data)(typed).asInstanceOf[AnyRef]
}
