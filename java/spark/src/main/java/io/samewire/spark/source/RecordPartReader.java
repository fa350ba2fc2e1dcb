package io.samewire.spark.source;

import io.samewire.core.SamewireException;
import io.samewire.pack.records.RecordReader;
import io.samewire.pack.records.RecordReaderOptions;
import io.samewire.spark.types.PackType;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/** Reads the rows of a part. */
final class RecordPartReader implements PartitionReader<InternalRow> {
    private static final InternalRow EMPTY = new GenericInternalRow(new Object[0]);

    private final String file;
    private final HadoopInput in;
    private final PackType type;
    private final RecordReader<Object> reader;
    private long left;
    private InternalRow row = EMPTY;

    /**
     * Makes the readers on executors.
     *
     * @param schema of the records with the fields that are read; null if it is none
     */
    record Factory(HadoopSettings settings, String schema) implements PartitionReaderFactory {
        @Override
        public PartitionReader<InternalRow> createReader(InputPartition partition) {
            RecordPart part = (RecordPart) partition;
            try {
                return new RecordPartReader(part, settings, schema);
            } catch (IOException failed) {
                throw new java.io.UncheckedIOException(failed);
            } catch (SamewireException error) {
                throw RecordFiles.of(part.file(), error);
            }
        }
    }

    private RecordPartReader(RecordPart part, HadoopSettings settings, String schema) throws IOException {
        this.file = part.file();
        this.type = schema == null ? null : PackType.of(schema);
        this.in = HadoopInput.open(new Path(part.file()), settings.configuration());
        try {
            // The number of rows alone: that of a part is known, and that of a file is in its index.
            this.reader = type == null ? RecordReader.open(in, RecordReaderOptions.DEFAULT)
                : RecordReader.open(in, type.codec(), RecordReaderOptions.DEFAULT);
            this.left = part.count() >= 0 ? part.count() : type == null ? reader.count() : Long.MAX_VALUE;
            if (part.first() > 0) {
                reader.seek(part.first());
            }
        } catch (IOException | RuntimeException | Error failed) {
            in.close();
            throw failed;
        }
    }

    @Override
    public boolean next() {
        if (left == 0) {
            return false;
        }
        left--;
        if (type == null) {
            return true;
        }
        try {
            if (!reader.hasNext()) {
                return false;
            }
            row = type.row(reader.next());
            return true;
        } catch (SamewireException error) {
            throw RecordFiles.of(file, error);
        }
    }

    @Override
    public InternalRow get() {
        return row;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
