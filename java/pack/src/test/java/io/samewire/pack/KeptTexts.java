package io.samewire.pack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Error texts that are kept in files of {@code src/test/resources}, for all to be read together. {@code REWRITE=1}
 * writes those anew that a test compares.
 */
public final class KeptTexts {
    private KeptTexts() {}

    /** Returns what is refused about each class, or its schema if nothing is. */
    public static String ofClasses(List<Class<?>> types) {
        StringBuilder all = new StringBuilder();
        for (Class<?> type : types) {
            String text;
            try {
                text = "no error: " + Pack.codec(type).schema().text();
            } catch (RuntimeException error) {
                text = error.getMessage();
            }
            all.append(type.getSimpleName()).append("\n    ").append(text).append('\n');
        }
        return all.toString();
    }

    /** Returns the texts that a file has. */
    public static String kept(String file, String texts) throws IOException {
        Path kept = Path.of(System.getProperty("samewire.root", ".."), "java/pack/src/test/resources", file);
        if (System.getenv("REWRITE") != null) {
            Files.createDirectories(kept.getParent());
            Files.writeString(kept, texts);
        }
        return Files.readString(kept);
    }
}
