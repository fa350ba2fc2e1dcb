package io.samewire.pack;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Schemas in a folder, a file each: {@code DIGEST.schema}. Processes may share it; a file is whole as soon as it is
 * there.
 */
public final class FolderSchemas implements SchemaStore {
    /** The longest schema text ({@code spec/limits.md}), in bytes. */
    private static final int TEXT_BYTES = 1 << 20;

    private final Path folder;

    /** A store in a folder, which is made when the first schema is put. */
    public FolderSchemas(Path folder) {
        this.folder = folder;
    }

    /**
     * {@inheritDoc}
     *
     * @throws UncheckedIOException if the file cannot be read
     */
    @Override
    public Optional<String> get(byte[] digest) {
        try (InputStream file = Files.newInputStream(path(digest))) {
            return Optional.of(new String(file.readNBytes(TEXT_BYTES + 1), StandardCharsets.UTF_8));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    @Override
    public void put(Schema schema) {
        Path path = path(schema.digest());
        if (Files.exists(path)) {
            return;
        }
        try {
            Files.createDirectories(folder);
            Path written = Files.createTempFile(folder, "schema", ".new");
            try {
                Files.writeString(written, schema.text());
                Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(written);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path path(byte[] digest) {
        return folder.resolve(HexFormat.of().formatHex(digest) + ".schema");
    }
}
