"""A job of Spark: trips in a record file become a table, and its sums record files that every language reads.

usage: spark-submit --jars samewire-spark.jar stations.py TRIPS STATIONS
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as PySpark's documentation has it)
from samewire import pack
from samewire.spark import packed


@dataclass(slots=True, frozen=True)
class Station:
    """The sums of the trips that started at one station."""

    name: str
    trips: int
    minutes: float


@dataclass(slots=True, frozen=True)
class Ride:
    """What an RDD needs of a trip."""

    route: tuple[str, str]
    minutes: Annotated[int, pack.I32]


def ride(trip: Row) -> Ride:
    """Returns a row of the table as a dataclass."""
    return Ride((trip.start, trip.end), trip.minutes)


def main(source: str, target: str) -> None:
    """Reads the trips, writes the stations, and prints both kinds of sums."""
    spark = SparkSession.builder.appName("stations").getOrCreate()
    trips = spark.read.format("samewire").load(source)
    sums = (F.count("*").alias("trips"), F.avg("minutes").alias("minutes"))
    stations = trips.groupBy(F.col("start").alias("name")).agg(*sums).orderBy("name")
    # Columns go into the schema of the dataclass by name; one that does not fit is refused before the job starts.
    out = stations.coalesce(1).write.format("samewire").option("schema", pack.codec(Station).schema.text)
    out.mode("overwrite").save(target)
    # What Python's workers compute: an RDD whose batches are messages of pack instead of pickles.
    rides = packed(trips.rdd.map(ride), Ride)
    longest = rides.filter(lambda each: each.minutes > 40).map(lambda each: (each.route, 1)).reduceByKey(int.__add__)
    (start, end), count = min(longest.collect(), key=lambda each: (-each[1], each[0]))
    spark.stop()

    for file in sorted(Path(target).glob("*.records")):
        with pack.RecordReader(file, Station) as reader:
            for station in reader:
                print(f"{station.name}: {station.trips} trips of {station.minutes:.1f} minutes")
    print(f"{count} long trips from {start} to {end}")


if __name__ == "__main__":
    main(*sys.argv[1:])
