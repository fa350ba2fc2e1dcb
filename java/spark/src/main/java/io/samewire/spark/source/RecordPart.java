package io.samewire.spark.source;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * Some records of a file, which one task reads.
 *
 * @param file its path
 * @param first the number of the first record
 * @param count how many they are; -1 for all to the end
 */
record RecordPart(String file, long first, long count) implements InputPartition {
    /** Returns parts of as many records each, as far as they can be. Empty ones are left out. */
    static List<RecordPart> split(String file, long records, long parts) {
        List<RecordPart> found = new ArrayList<>();
        for (long part = 0; part < parts; part++) {
            long from = Math.multiplyHigh(records, part) == 0 ? records * part / parts : records / parts * part;
            long to = part + 1 == parts ? records
                : Math.multiplyHigh(records, part + 1) == 0 ? records * (part + 1) / parts
                : records / parts * (part + 1);
            if (to > from) {
                found.add(new RecordPart(file, from, to - from));
            }
        }
        return found;
    }
}
