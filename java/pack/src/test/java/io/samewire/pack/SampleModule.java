package io.samewire.pack;

import io.samewire.core.SamewireException;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Compiled tests as a named module, beside {@code pack} as one. The library of Kotlin is a module too; those of Scala
 * cannot be, since two of their jars have the same packages, and stay on the class path, as JUnit does.
 */
final class SampleModule {
    private static final String NAME = "sample.app";

    private SampleModule() {}

    /** The loader of a module with these classes, all of them in the package {@code sample}. */
    static ClassLoader loader(Path classes) throws IOException {
        Path folder = Files.createTempDirectory("samewire-module");
        try {
            return loader(classes, folder);
        } finally {
            // Classes are loaded while tests run, after this returns.
            folder.toFile().deleteOnExit();
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted().forEach(each -> each.toFile().deleteOnExit());
            }
        }
    }

    private static ClassLoader loader(Path classes, Path folder) throws IOException {
        boolean kotlin = Files.isDirectory(classes.resolve("META-INF"));
        Path sample = folder.resolve("sample");
        copy(classes, sample);
        Files.write(sample.resolve("module-info.class"), descriptor(kotlin));
        // The package of pack is its module's alone: records of the tests in it belong there.
        Path pack = folder.resolve("pack");
        copy(home(Pack.class), pack);
        copy(home(LanguageRecords.class).resolve("io/samewire/pack"), pack.resolve("io/samewire/pack"));
        List<Path> modules = new ArrayList<>(List.of(sample, pack, home(SamewireException.class),
            home(ClassWriter.class)));
        if (kotlin) {
            modules.add(home(kotlin.Unit.class));
        }
        ModuleFinder finder = ModuleFinder.of(modules.toArray(Path[]::new));
        Configuration resolved =
            ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of(NAME));
        ModuleLayer.Controller layer = ModuleLayer.defineModulesWithOneLoader(resolved, List.of(ModuleLayer.boot()),
            SampleModule.class.getClassLoader());
        Module made = layer.layer().findModule(NAME).orElseThrow();
        layer.addReads(made, SampleModule.class.getClassLoader().getUnnamedModule());
        return made.getClassLoader();
    }

    private static byte[] descriptor(boolean kotlin) {
        ClassWriter file = new ClassWriter(0);
        file.visit(Opcodes.V17, Opcodes.ACC_MODULE, "module-info", null, null, null);
        ModuleVisitor module = file.visitModule(NAME, 0, null);
        module.visitRequire("java.base", Opcodes.ACC_MANDATED, null);
        module.visitRequire("io.samewire.pack", 0, null);
        if (kotlin) {
            module.visitRequire("kotlin.stdlib", 0, null);
        }
        module.visitExport("sample", 0);
        module.visitOpen("sample", 0, "io.samewire.pack");
        module.visitEnd();
        file.visitEnd();
        return file.toByteArray();
    }

    private static Path home(Class<?> type) {
        return Path.of(java.net.URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.sorted(Comparator.naturalOrder()).toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                if (Files.isDirectory(each)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
