"""Uses most of what PySpark does through Py4J, and writes each step's result: the same with whatever stands behind `py4j`.

usage: everything.py MASTER FILE [STEPS]

STEPS is a regular expression for the names of the steps that run. Runs in Spark's environment. FILE gets a JSON object: a step's name to its result.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
from pyspark.errors import AnalysisException, PythonException
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import StringIndexer, VectorAssembler
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 (as PySpark's documentation has it)
from pyspark.sql.streaming import StreamingQueryListener

STEPS: list[Callable[[SparkSession], Any]] = []


def step(function: Callable[[SparkSession], Any]) -> Callable[[SparkSession], Any]:
    """Registers a step."""
    STEPS.append(function)
    return function


def sales(spark: SparkSession) -> Any:
    """Some rows."""
    rows = [(i, f"city{i % 7}", float(i * 37 % 101), i % 3 == 0) for i in range(400)]
    return spark.createDataFrame(rows, ["id", "city", "amount", "late"])


@step
def rdds(spark: SparkSession) -> Any:
    context = spark.sparkContext
    seen, factor = context.accumulator(0), context.broadcast(3)

    def pair(number: int) -> tuple[int, int]:
        seen.add(1)
        return number % 5, number * factor.value

    sums = context.parallelize(range(1000), 4).map(pair).reduceByKey(lambda a, b: a + b).sortByKey().collect()
    joined = context.parallelize([(1, "a"), (2, "b")]).join(context.parallelize([(1, "x"), (2, "y")])).collect()
    return [sums, seen.value, sorted(joined), context.parallelize(["b", "a"]).zipWithIndex().collect()]


@step
def data_frames(spark: SparkSession) -> Any:
    frame = sales(spark)
    window = Window.partitionBy("city").orderBy(F.desc("amount"), "id")
    best = frame.withColumn("rank", F.row_number().over(window)).where("rank <= 2").orderBy("city", "rank")
    summed = frame.groupBy("city").agg(F.sum("amount").alias("sum"), F.countDistinct("id").alias("n")).orderBy("city")
    pivoted = frame.groupBy("city").pivot("late").agg(F.max("amount")).orderBy("city")
    wide = frame.select(*[(F.col("amount") * i).cast("string").alias(f"c{i}") for i in range(50)]).agg(F.max("c49"))
    return [rows(best), rows(summed), rows(pivoted), rows(wide), frame.schema.json(), wide.columns]


@step
def sql(spark: SparkSession) -> Any:
    sales(spark).createOrReplaceTempView("sales")
    found = spark.sql(
        "select late, avg(amount) a from sales where city like :city group by late order by late", {"city": "city1%"}
    )
    return [rows(found), [table.name for table in spark.catalog.listTables()], spark.conf.get("spark.sql.shuffle.partitions")]


@step
def errors(spark: SparkSession) -> Any:
    def broken(_: int) -> int:
        raise ValueError("on purpose")

    caught = []
    try:
        spark.sql("select nope from nowhere")
    except AnalysisException as error:
        caught.append([type(error).__name__, str(error).splitlines()[0][:60]])
    try:
        spark.range(3).select(F.udf(broken)("id")).collect()
    except PythonException as error:
        caught.append([type(error).__name__, "on purpose" in str(error)])
    try:
        spark.sparkContext.parallelize([1]).map(broken).collect()
    except Exception as error:
        caught.append([type(error).__name__, "on purpose" in str(error)])
    return caught


@step
def udfs(spark: SparkSession) -> Any:
    plain = F.udf(lambda city: city.upper())
    spark.udf.register("twice", lambda number: number * 2, "double")
    frame = sales(spark)
    registered = spark.sql("select twice(2.5d) x")
    arrow = F.udf(lambda city: city[::-1], useArrow=True)
    return [rows(frame.select(plain("city"), arrow("city")).limit(9)), rows(registered)]


@step
def pandas_udfs(spark: SparkSession) -> Any:
    @F.pandas_udf("double")
    def plus_one(values: pd.Series) -> pd.Series:
        return values + 1

    @F.pandas_udf("double")
    def mean(values: pd.Series) -> float:
        return float(values.mean())

    def spread(group: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"city": [group["city"].iloc[0]], "spread": [group["amount"].max() - group["amount"].min()]})

    def halves(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            yield frame[["id"]] // 2

    frame = sales(spark)
    return [
        rows(frame.select(plus_one("amount").alias("more")).agg(F.sum("more"))),
        rows(frame.groupBy("city").agg(mean("amount")).orderBy("city")),
        rows(frame.groupBy("city").applyInPandas(spread, "city string, spread double").orderBy("city")),
        rows(frame.mapInPandas(halves, "id long").agg(F.sum("id"))),
    ]


@step
def pandas_frames(spark: SparkSession) -> Any:
    results = []
    for arrow in ("true", "false"):
        spark.conf.set("spark.sql.execution.arrow.pyspark.enabled", arrow)
        frame = spark.createDataFrame(pd.DataFrame({"a": range(500), "b": [f"n{i}" for i in range(500)]}))
        back = frame.where("a % 2 = 0").toPandas()
        results.append([len(back), str(back.dtypes.to_dict()), int(back["a"].sum()), back["b"].iloc[-1]])
    return results


@step
def files(spark: SparkSession) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        sales(spark).write.partitionBy("late").parquet(f"{folder}/sales")
        sales(spark).coalesce(1).write.option("header", True).csv(f"{folder}/csv")
        back = spark.read.option("header", True).option("inferSchema", True).csv(f"{folder}/csv")
        return [
            spark.read.parquet(f"{folder}/sales").where("late = true").count(),
            back.dtypes,
            rows(back.orderBy("id").limit(2)),
        ]


@step
def batches(spark: SparkSession) -> Any:
    seen = []

    def each(frame: Any, number: int) -> None:
        seen.append([number, frame.count(), rows(frame.agg(F.max("value")))])

    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 5).load()
    query = source.writeStream.foreachBatch(each).start()
    wait(lambda: len(seen) >= 3)
    query.stop()
    return seen[:3]


@step
def batch_errors(spark: SparkSession) -> Any:
    def each(frame: Any, number: int) -> None:
        raise KeyError("in the batch")

    query = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 5).load().writeStream.foreachBatch(each).start()
    try:
        query.awaitTermination(60)
    except Exception as error:
        return [type(error).__name__, "in the batch" in str(error)]
    return "no error"


@step
def listeners(spark: SparkSession) -> Any:
    told: list[str] = []
    progress: list[int] = []

    class Listener(StreamingQueryListener):
        def onQueryStarted(self, event: Any) -> None:  # noqa: N802 (PySpark's name)
            told.append(f"started {event.name}")

        def onQueryProgress(self, event: Any) -> None:  # noqa: N802 (PySpark's name)
            progress.append(event.progress.numInputRows)

        def onQueryIdle(self, event: Any) -> None:  # noqa: N802 (PySpark's name)
            pass

        def onQueryTerminated(self, event: Any) -> None:  # noqa: N802 (PySpark's name)
            told.append(f"terminated {event.exception}")

    listener = Listener()
    spark.streams.addListener(listener)
    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 7).load()
    query = source.writeStream.format("memory").queryName("told").start()
    wait(lambda: len(progress) >= 2)
    query.stop()
    wait(lambda: len(told) >= 2)
    spark.streams.removeListener(listener)
    return [told, progress[0], spark.table("told").count() >= 14]


@step
def machine_learning(spark: SparkSession) -> Any:
    data = sales(spark).withColumn("label", F.col("late").cast("double"))
    stages = [
        StringIndexer(inputCol="city", outputCol="number"),
        VectorAssembler(inputCols=["number", "amount"], outputCol="features"),
        LogisticRegression(maxIter=5),
    ]
    pipeline = Pipeline(stages=stages)
    model = pipeline.fit(data)
    predicted = model.transform(data)
    area = BinaryClassificationEvaluator().evaluate(predicted)
    grid = ParamGridBuilder().addGrid(stages[2].regParam, [0.1, 1.0]).build()
    chosen = CrossValidator(
        estimator=pipeline, estimatorParamMaps=grid, evaluator=BinaryClassificationEvaluator(), numFolds=2, seed=7, parallelism=2
    ).fit(data)
    with tempfile.TemporaryDirectory() as folder:
        model.write().overwrite().save(f"{folder}/model")
        again = PipelineModel.load(f"{folder}/model").transform(data)
        return [
            [round(number, 9) for number in model.stages[2].coefficients.toArray()],
            round(area, 9),
            [round(metric, 9) for metric in chosen.avgMetrics],
            rows(again.groupBy("prediction").count().orderBy("prediction")),
        ]


@step
def threads(spark: SparkSession) -> Any:
    counts: dict[int, int] = {}

    def count(number: int) -> None:
        spark.sparkContext.setLocalProperty("spark.scheduler.pool", str(number))
        counts[number] = spark.range(number * 10).count()

    started = [threading.Thread(target=count, args=(number,)) for number in range(6)]
    for one in started:
        one.start()
    for one in started:
        one.join()
    return sorted(counts.items())


@step
def jvm(spark: SparkSession) -> Any:
    java = spark.sparkContext._jvm
    words = java.java.util.ArrayList()
    words.extend(["b", "a", "c"])
    java.java.util.Collections.sort(words)
    scores = java.java.util.HashMap()
    scores["x"] = 1
    return [list(words), dict(scores), java.java.lang.Math.max(3, 4), java.scala.Some(5).get()]


def rows(frame: Any) -> list[Any]:
    """A frame's rows as lists."""
    return [[str(value) for value in row] for row in frame.collect()]


def wait(condition: Callable[[], bool]) -> None:
    """Waits until a condition holds, at most two minutes."""
    limit = time.monotonic() + 120
    while not condition():
        if time.monotonic() > limit:
            raise TimeoutError("the condition did not come true in 120 s")
        time.sleep(0.05)


def main(master: str, file: str, steps: str = "") -> None:
    """Runs the steps on a cluster."""
    builder = SparkSession.builder.master(master).appName("everything").config("spark.sql.shuffle.partitions", "2")
    builder = builder.config("spark.ui.enabled", "false").config("spark.executor.memory", "700m")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    results: dict[str, Any] = {"executors": spark.sparkContext.defaultParallelism}
    for one in STEPS:
        if not re.search(steps, one.__name__):
            continue
        begun = time.monotonic()
        try:
            results[one.__name__] = one(spark)
        except Exception as error:
            results[one.__name__] = f"{type(error).__name__}: {error}"[:2000]
        Path(file).write_text(json.dumps(results, default=str))
        print(f"{one.__name__:20} {time.monotonic() - begun:6.1f} s", flush=True)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
