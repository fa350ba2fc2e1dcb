package io.samewire.bench

import java.util.{List => JavaList, Map => JavaMap}
import scala.jdk.CollectionConverters._

final case class ScalaEvent(i: Int, b: Boolean)
final case class ScalaBook(id: String, name: String, author: String, publicationYear: Int)
final case class ScalaNode(name: String, color: String, children: Seq[ScalaNode])

/** The reference data as Scala programs have it: case classes, vectors, immutable maps. */
object ScalaModel {
  def of(neutral: Any): AnyRef = neutral match {
    case event: Event => ScalaEvent(event.i, event.b)
    case node: Node => scalaNode(node)
    case map: JavaMap[_, _] => map.asScala.toMap
    case list: JavaList[_] => list.asScala.toVector.map(item)
    case array: AnyRef => array
  }

  private def item(value: Any): Any = value match {
    case book: Book => ScalaBook(book.id, book.name, book.author, book.publicationYear)
    case text => text
  }

  private def scalaNode(node: Node): ScalaNode =
    ScalaNode(node.name, node.color, node.children.asScala.toVector.map(scalaNode))
}
