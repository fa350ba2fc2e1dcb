package io.samewire.spark.source;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** What executors need to open the files that the driver sees: Hadoop's settings, which it does not serialize. */
final class HadoopSettings implements Serializable {
    private static final long serialVersionUID = 1;
    private final HashMap<String, String> entries = new HashMap<>();
    private transient Configuration made;

    private HadoopSettings() {}

    static HadoopSettings of(Configuration session, CaseInsensitiveStringMap options) {
        HadoopSettings settings = new HadoopSettings();
        for (Map.Entry<String, String> entry : session) {
            settings.entries.put(entry.getKey(), entry.getValue());
        }
        // Options such as fs.s3a.endpoint, as Spark's own sources take them.
        options.asCaseSensitiveMap().forEach((key, value) -> {
            if (key.startsWith("fs.")) {
                settings.entries.put(key, value);
            }
        });
        return settings;
    }

    synchronized Configuration configuration() {
        if (made == null) {
            made = new Configuration(false);
            entries.forEach(made::set);
        }
        return made;
    }
}
