package io.samewire.spark.source;

import io.samewire.pack.Schema;
import io.samewire.spark.types.PackType;
import io.samewire.spark.types.SchemaTexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Writes a folder of record files, one a task. Tasks write into a folder inside it whose name begins with an
 * underscore, which readers leave out; a commit of all moves the files out of it, and an abort removes it.
 */
final class RecordWrite implements WriteBuilder, SupportsTruncate, Write, BatchWrite {
    private static final String NAME = "name";
    private static final String SCHEMA = "schema";
    private static final String COMPRESSION = "compression";

    private final String id;
    private final StructType columns;
    private final String schema;
    private final boolean compressed;
    private final RecordFiles files;
    private final Path folder;
    private final Path staging;
    private boolean truncated;

    RecordWrite(LogicalWriteInfo info) {
        CaseInsensitiveStringMap options = info.options();
        this.id = info.queryId();
        this.columns = info.schema();
        this.files = new RecordFiles(options);
        this.folder = files.target();
        this.staging = new Path(folder, "_samewire-" + id);
        this.compressed = switch (options.getOrDefault(COMPRESSION, "none").toLowerCase(Locale.ROOT)) {
            case "none" -> false;
            case "zstd" -> true;
            default -> throw RecordFiles.misuse(COMPRESSION + "=" + options.get(COMPRESSION)
                + ": expected none or zstd");
        };
        this.schema = options.containsKey(SCHEMA) ? Schema.parse(options.get(SCHEMA)).text()
            : SchemaTexts.of(options.getOrDefault(NAME, "Row"), columns).text();
        // What does not fit is refused before a task starts.
        PackType.of(schema, columns);
    }

    @Override
    public WriteBuilder truncate() {
        truncated = true;
        return this;
    }

    @Override
    public Write build() {
        return this;
    }

    @Override
    public BatchWrite toBatch() {
        return this;
    }

    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
        return new RecordPartWriter.Factory(files.settings(), staging.toString(), id, schema, columns.json(),
            compressed);
    }

    private FileSystem system() throws IOException {
        return folder.getFileSystem(files.settings().configuration());
    }

    /** What the folder held is removed when everything is written: until then readers see it. */
    @Override
    public void commit(WriterCommitMessage[] messages) {
        try {
            FileSystem system = system();
            system.mkdirs(folder);
            List<Path> old = new ArrayList<>();
            if (truncated) {
                for (FileStatus file : system.listStatus(folder)) {
                    if (file.isFile() && file.getPath().getName().endsWith(".records")) {
                        old.add(file.getPath());
                    }
                }
            }
            for (WriterCommitMessage message : messages) {
                Path written = message == null ? null : ((RecordPartWriter.Written) message).path();
                if (written != null && !system.rename(written, new Path(folder, written.getName()))) {
                    throw new IOException("cannot rename " + written + " into " + folder);
                }
            }
            for (Path file : old) {
                system.delete(file, false);
            }
            system.delete(staging, true);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
        try {
            FileSystem system = system();
            system.delete(staging, true);
            for (WriterCommitMessage message : messages) {
                if (message != null && ((RecordPartWriter.Written) message).file() != null) {
                    // One that a failed commit has moved already.
                    system.delete(new Path(folder, ((RecordPartWriter.Written) message).path().getName()), false);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
