package io.samewire.spark.source;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Schema;
import io.samewire.pack.records.RecordReader;
import io.samewire.pack.records.RecordReaderOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The files that a table's options name, on the driver. */
public final class RecordFiles {
    private static final String PATH = "path";
    private static final String PATHS = "paths";
    private static final String SCHEMA = "schema";
    private final CaseInsensitiveStringMap options;
    private final HadoopSettings settings;

    /** Creates the files of options. */
    public RecordFiles(CaseInsensitiveStringMap options) {
        this.options = options;
        Configuration found = SparkSession.active().sparkContext().hadoopConfiguration();
        this.settings = HadoopSettings.of(found, options);
    }

    static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }

    HadoopSettings settings() {
        return settings;
    }

    /** Returns the one path that is written to. */
    Path target() {
        String path = options.get(PATH);
        if (path == null) {
            throw misuse("format(\"samewire\") writes into a folder: name it in save(PATH)");
        }
        return new Path(path);
    }

    private List<String> named() {
        if (options.containsKey(PATHS)) {
            // Spark writes them as a JSON array of strings.
            String text = options.get(PATHS);
            List<String> found = new ArrayList<>();
            StringBuilder path = null;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '"') {
                    if (path != null) {
                        found.add(path.toString());
                    }
                    path = path == null ? new StringBuilder() : null;
                } else if (path != null) {
                    path.append(c == '\\' ? text.charAt(++i) : c);
                }
            }
            return found;
        }
        if (options.get(PATH) == null) {
            throw misuse("format(\"samewire\") reads files: name them in load(PATH)");
        }
        return List.of(options.get(PATH));
    }

    /**
     * Returns the files in order of their paths: those that are named, match a pattern, or lie in a folder and end in
     * {@code .records}. What begins with a dot or an underscore is left out.
     *
     * @throws SamewireException {@code misuse} if there are none
     */
    List<FileStatus> list() {
        try {
            List<FileStatus> found = new ArrayList<>();
            for (String name : named()) {
                Path path = new Path(name);
                FileSystem system = path.getFileSystem(settings.configuration());
                FileStatus[] matches = system.globStatus(path);
                for (FileStatus match : matches == null ? new FileStatus[0] : matches) {
                    if (match.isFile()) {
                        found.add(match);
                    } else {
                        Arrays.stream(system.listStatus(match.getPath())).filter(RecordFiles::isRecords)
                            .forEach(found::add);
                    }
                }
            }
            if (found.isEmpty()) {
                throw misuse("no record files at " + named() + ": expected files, or a folder of *.records");
            }
            found.sort(Comparator.comparing(file -> file.getPath().toString()));
            return found;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean isRecords(FileStatus file) {
        String name = file.getPath().getName();
        return file.isFile() && name.endsWith(".records") && !name.startsWith("_") && !name.startsWith(".");
    }

    /** Returns the schema that files are read by: that of the option, else that of the first file. */
    public String schema() {
        if (options.containsKey(SCHEMA)) {
            return Schema.parse(options.get(SCHEMA)).text();
        }
        Path first = list().get(0).getPath();
        try (HadoopInput in = HadoopInput.open(first, settings.configuration())) {
            return RecordReader.open(in, RecordReaderOptions.DEFAULT).schema().text();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (SamewireException error) {
            throw of(first.toString(), error);
        }
    }

    /** Returns the error with the file's name before its text. */
    static SamewireException of(String file, SamewireException error) {
        return new SamewireException(error.code(), error.at(), error.path(), file + ": " + error.text(), error);
    }
}
