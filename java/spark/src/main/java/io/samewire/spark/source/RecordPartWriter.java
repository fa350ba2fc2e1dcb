package io.samewire.spark.source;

import io.samewire.pack.records.Compression;
import io.samewire.pack.records.RecordWriter;
import io.samewire.pack.records.RecordWriterOptions;
import io.samewire.spark.types.PackType;
import java.io.IOException;
import java.nio.channels.Channels;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.DataType;

/** Writes the rows of one task into a file of its own. */
final class RecordPartWriter implements DataWriter<InternalRow> {
    private final FileSystem system;
    private final Path path;
    private final FSDataOutputStream stream;
    private final PackType type;
    private final RecordWriter<Object> writer;

    /** The file that a task has written. */
    record Written(String file) implements WriterCommitMessage {
        Path path() {
            return new Path(file);
        }
    }

    /** Makes the writers on executors. */
    record Factory(HadoopSettings settings, String folder, String id, String schema, String columns,
        boolean compressed) implements DataWriterFactory {
        @Override
        public DataWriter<InternalRow> createWriter(int partition, long task) {
            // A task may run twice: each attempt has a file of its own.
            String name = String.format("part-%05d-%s-%d.records", partition, id, task);
            try {
                return new RecordPartWriter(this, new Path(folder, name));
            } catch (IOException failed) {
                throw new java.io.UncheckedIOException(failed);
            }
        }
    }

    private RecordPartWriter(Factory factory, Path path) throws IOException {
        this.path = path;
        this.system = path.getFileSystem(factory.settings().configuration());
        this.type = PackType.of(factory.schema(), DataType.fromJson(factory.columns()));
        this.stream = system.create(path, false);
        this.writer = RecordWriter.create(Channels.newChannel(stream), type.codec(),
            RecordWriterOptions.DEFAULT.withCompression(factory.compressed() ? Compression.ZSTD : Compression.NONE));
    }

    @Override
    public void write(InternalRow row) throws IOException {
        writer.write(type.record(row));
    }

    @Override
    public WriterCommitMessage commit() throws IOException {
        writer.close();
        stream.close();
        return new Written(path.toString());
    }

    @Override
    public void abort() throws IOException {
        stream.close();
        system.delete(path, false);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
