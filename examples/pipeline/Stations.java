import io.samewire.pack.Pack;
import io.samewire.pack.records.RecordReader;
import io.samewire.pack.records.RecordWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;

/** The second stage: trips in, a record for each station out. Usage: Stations TRIPS STATIONS. */
public class Stations {
    /** What this stage needs of a trip: the file's other fields are skipped. */
    record Trip(String start, Instant started, int minutes) {}

    /** What left from one station. */
    record Station(String name, int trips, long minutes, int busiest) {}

    /** Sums of one station. */
    static final class Sums {
        private final int[] byHour = new int[24];
        private long minutes;

        void add(Trip trip) {
            byHour[trip.started().atZone(ZoneOffset.UTC).getHour()]++;
            minutes += trip.minutes();
        }

        Station of(String name) {
            int trips = 0;
            int busiest = 0;
            for (int hour = 0; hour < byHour.length; hour++) {
                trips += byHour[hour];
                busiest = byHour[hour] > byHour[busiest] ? hour : busiest;
            }
            return new Station(name, trips, minutes, busiest);
        }
    }

    public static void main(String[] arguments) throws IOException {
        Map<String, Sums> stations = new TreeMap<>();
        try (RecordReader<Trip> trips = RecordReader.open(Path.of(arguments[0]), Pack.codec(Trip.class))) {
            for (Trip trip : trips) {
                stations.computeIfAbsent(trip.start(), name -> new Sums()).add(trip);
            }
        }
        try (RecordWriter<Station> out = RecordWriter.create(Path.of(arguments[1]), Pack.codec(Station.class))) {
            for (Map.Entry<String, Sums> station : stations.entrySet()) {
                out.write(station.getValue().of(station.getKey()));
            }
        }
    }
}
