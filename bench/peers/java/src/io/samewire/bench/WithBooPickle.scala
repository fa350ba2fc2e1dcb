package io.samewire.bench

import boopickle.Default._
import boopickle.{DecoderSize, DecoderSpeed, EncoderSize, EncoderSpeed}
import java.nio.ByteBuffer
import java.util.{List => JavaList, Map => JavaMap}
import scala.jdk.CollectionConverters._

object WithBooPickle {
  final case class ScalaEvent(i: Int, b: Boolean)
  final case class ScalaBook(id: String, name: String, author: String, year: Int)
  final case class ScalaNode(name: String, color: String, children: Seq[ScalaNode])
}

/** BooPickle, the reference; `size` is its default codec, `speed` its other one with deduplication off, its fastest set-up. */
final class WithBooPickle(variant: String, shape: String) extends Peer {
  import WithBooPickle._

  private val speed = variant == "speed"

  private val nodes: Pickler[ScalaNode] = generatePickler[ScalaNode]

  private val pickler: Pickler[Any] = (shape match {
    case "event" => implicitly[Pickler[ScalaEvent]]
    case "ints" => implicitly[Pickler[Array[Int]]]
    case "doubles" => implicitly[Pickler[Array[Double]]]
    case "strings" | "uniqueStrings" => implicitly[Pickler[Seq[String]]]
    case "map" => implicitly[Pickler[Map[String, Int]]]
    case "tree" => nodes
    case _ => implicitly[Pickler[Seq[ScalaBook]]]
  }).asInstanceOf[Pickler[Any]]

  override def version: String = "1.5.0"

  override def adapt(neutral: Any): AnyRef = neutral match {
    case event: Event => ScalaEvent(event.i, event.b)
    case node: Node => scalaNode(node)
    case map: JavaMap[_, _] => map.asScala.toMap
    case list: JavaList[_] => list.asScala.toVector.map(item)
    case array: AnyRef => array
  }

  private def item(value: Any): Any = value match {
    case book: Book => ScalaBook(book.id, book.name, book.author, book.year)
    case text => text
  }

  private def scalaNode(node: Node): ScalaNode =
    ScalaNode(node.name, node.color, node.children.asScala.toVector.map(scalaNode))

  override def encode(value: Any): Array[Byte] = {
    val state = if (speed) new PickleState(new EncoderSpeed, false, false) else new PickleState(new EncoderSize)
    pickler.pickle(value)(state)
    val buffer = state.toByteBuffer
    val bytes = new Array[Byte](buffer.remaining)
    buffer.get(bytes)
    bytes
  }

  override def decode(data: Array[Byte]): AnyRef = {
    val buffer = ByteBuffer.wrap(data).order(java.nio.ByteOrder.LITTLE_ENDIAN)
    val state =
      if (speed) new UnpickleState(new DecoderSpeed(buffer), false, false) else new UnpickleState(new DecoderSize(buffer))
    pickler.unpickle(state).asInstanceOf[AnyRef]
  }
}
