package io.samewire.bench

import boopickle.Default._
import boopickle.{BufferPool, DecoderSize, DecoderSpeed, EncoderSize, EncoderSpeed}
import java.nio.{ByteBuffer, ByteOrder}
import java.util.{Map => JavaMap}

object WithBooPickle {

  /** Both codecs, each with deduplication of texts and objects and without; `speed` without is its fastest set-up. */
  def rows(): JavaMap[String, Library] = JavaMap.of(
    "boopickle-size", row(speed = false, dedup = true),
    "boopickle-size-nodedup", row(speed = false, dedup = false),
    "boopickle-speed", row(speed = true, dedup = false),
    "boopickle-speed-dedup", row(speed = true, dedup = true)
  )

  private def row(speed: Boolean, dedup: Boolean): Library =
    new Library(classOf[PickleState], "typed", "bounds", true, false, new WithBooPickle(_, speed, dedup))
}

/** BooPickle, the reference; its buffer goes back to its pool. */
final class WithBooPickle(workload: Workload, speed: Boolean, dedup: Boolean) extends Peer with Pooled {
  private val nodes: Pickler[ScalaNode] = generatePickler[ScalaNode]

  private val pickler: Pickler[Any] = (workload.name match {
    case "event" => implicitly[Pickler[ScalaEvent]]
    case "ints" => implicitly[Pickler[Array[Int]]]
    case "doubles" => implicitly[Pickler[Array[Double]]]
    case "strings" | "uniqueStrings" => implicitly[Pickler[Seq[String]]]
    case "map" => implicitly[Pickler[Map[String, Int]]]
    case "tree" => nodes
    case _ => implicitly[Pickler[Seq[ScalaBook]]]
  }).asInstanceOf[Pickler[Any]]

  override def adapt(neutral: Any): AnyRef = ScalaModel.of(neutral)

  private def pickled(value: Any): ByteBuffer = {
    val state = new PickleState(if (speed) new EncoderSpeed else new EncoderSize, dedup, dedup)
    pickler.pickle(value)(state)
    state.toByteBuffer
  }

  override def encode(value: Any): Array[Byte] = {
    val buffer = pickled(value)
    val bytes = new Array[Byte](buffer.remaining)
    buffer.get(bytes)
    BufferPool.release(buffer)
    bytes
  }

  override def decode(data: Array[Byte]): AnyRef = {
    val buffer = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN)
    val decoder = if (speed) new DecoderSpeed(buffer) else new DecoderSize(buffer)
    pickler.unpickle(new UnpickleState(decoder, dedup, dedup)).asInstanceOf[AnyRef]
  }

  override def message(value: Any): Unit = BufferPool.release(pickled(value))

  override def counts(): JavaMap[String, java.lang.Long] =
    JavaMap.of("allocations", (BufferPool.allocOk + BufferPool.allocMiss).toLong, "misses", BufferPool.allocMiss.toLong)
}
