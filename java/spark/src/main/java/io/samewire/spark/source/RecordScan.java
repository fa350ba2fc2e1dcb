package io.samewire.spark.source;

import io.samewire.core.SamewireException;
import io.samewire.pack.records.RecordReader;
import io.samewire.pack.records.RecordReaderOptions;
import io.samewire.spark.types.PackType;
import io.samewire.spark.types.Pruned;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FileStatus;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A reading of some columns. Fields that no column needs are skipped in the messages. */
final class RecordScan implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsReportStatistics, Batch {
    private static final String SPLIT_BYTES = "splitBytes";
    private static final long DEFAULT_SPLIT_BYTES = 32L << 20;

    private final RecordFiles files;
    private final String schema;
    private final long splitBytes;
    private StructType columns;
    private List<FileStatus> listed;

    RecordScan(RecordFiles files, StructType columns, CaseInsensitiveStringMap options) {
        this.files = files;
        this.schema = files.schema();
        this.splitBytes = options.getLong(SPLIT_BYTES, DEFAULT_SPLIT_BYTES);
        this.columns = columns;
        if (splitBytes < 1) {
            throw RecordFiles.misuse(SPLIT_BYTES + "=" + splitBytes + ": expected a number of bytes, at least 1");
        }
        String found = PackType.of(schema).table().asNullable().catalogString();
        if (!found.equals(columns.asNullable().catalogString())) {
            throw RecordFiles.misuse("the columns that .schema(…) gives are not those of the files, " + found
                + ": leave .schema(…) away, or give a schema text of pack in .option(\"schema\", …)");
        }
    }

    @Override
    public void pruneColumns(StructType required) {
        columns = Pruned.columns(schema, required);
    }

    @Override
    public Scan build() {
        return this;
    }

    @Override
    public StructType readSchema() {
        return columns;
    }

    @Override
    public String description() {
        return "samewire records, columns " + String.join(", ", columns.fieldNames());
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    private List<FileStatus> listed() {
        if (listed == null) {
            listed = files.list();
        }
        return listed;
    }

    @Override
    public Statistics estimateStatistics() {
        long bytes = listed().stream().mapToLong(FileStatus::getLen).sum();
        return new Statistics() {
            @Override
            public OptionalLong sizeInBytes() {
                return OptionalLong.of(bytes);
            }

            @Override
            public OptionalLong numRows() {
                return OptionalLong.empty();
            }
        };
    }

    /** A file that is larger than a split is read in parts of as many records each, found by its index. */
    @Override
    public InputPartition[] planInputPartitions() {
        List<InputPartition> partitions = new ArrayList<>();
        for (FileStatus file : listed()) {
            String path = file.getPath().toString();
            long parts = (file.getLen() + splitBytes - 1) / splitBytes;
            if (parts <= 1) {
                partitions.add(new RecordPart(path, 0, -1));
                continue;
            }
            long count = count(file);
            for (RecordPart part : RecordPart.split(path, count, parts)) {
                partitions.add(part);
            }
        }
        return partitions.toArray(new InputPartition[0]);
    }

    private long count(FileStatus file) {
        try (HadoopInput in = HadoopInput.open(file.getPath(), files.settings().configuration())) {
            return RecordReader.open(in, RecordReaderOptions.DEFAULT).count();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (SamewireException error) {
            throw RecordFiles.of(file.getPath().toString(), error);
        }
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        String pruned = columns.isEmpty() ? null : Pruned.schema(schema, columns);
        return new RecordPartReader.Factory(files.settings(), pruned);
    }
}
