package io.samewire.bridge.operations;

import io.samewire.bridge.Policy;
import io.samewire.bridge.PolicyName;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The names in packages, for completion: the exported ones of the JVM's modules, and all of the class path. Jars are
 * listed once; folders each time, since programs are compiled into them.
 */
public final class PackageNames {
    private static final String CLASS = ".class";
    private static Map<String, Set<String>> jars;

    private PackageNames() {}

    /**
     * Returns the simple names of the classes of a package and of the packages below it, in order.
     *
     * @throws SamewireException {@code misuse} if that is not the name of a package, so that it cannot leave the folder
     */
    public static List<String> of(String name, Policy policy) {
        if (!name.isEmpty() && !PolicyName.isName(name)) {
            throw new SamewireException(Code.MISUSE, -1, null, "'" + name + "' is not the name of a package");
        }
        Set<String> found = new TreeSet<>();
        modules(name, found);
        found.addAll(jars().getOrDefault(name, Set.of()));
        for (String entry : classPath()) {
            Path folder = Path.of(entry);
            if (Files.isDirectory(folder)) {
                folder(name.isEmpty() ? folder : folder.resolve(name.replace('.', '/')), found);
            }
        }
        List<String> admitted = new ArrayList<>();
        for (String simple : found) {
            if (policy.admitsName(name.isEmpty() ? simple : name + '.' + simple)) {
                admitted.add(simple);
            }
        }
        return admitted;
    }

    private static String[] classPath() {
        return System.getProperty("java.class.path", "").split(File.pathSeparator);
    }

    private static void modules(String name, Set<String> found) {
        String prefix = name.isEmpty() ? "" : name + '.';
        for (Module module : ModuleLayer.boot().modules()) {
            for (String one : module.getPackages()) {
                if (one.startsWith(prefix) && module.isExported(one)) {
                    int dot = one.indexOf('.', prefix.length());
                    found.add(one.substring(prefix.length(), dot < 0 ? one.length() : dot));
                }
            }
            if (module.getPackages().contains(name) && module.isExported(name)) {
                folder(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module.getName(),
                    name.replace('.', '/')), found);
            }
        }
    }

    private static void folder(Path folder, Set<String> found) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        boolean jrt = folder.getFileSystem() != FileSystems.getDefault();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path one : all) {
                String file = one.getFileName().toString();
                if (file.endsWith(CLASS)) {
                    add(found, file.substring(0, file.length() - CLASS.length()));
                } else if (!jrt && Files.isDirectory(one) && isIdentifier(file)) {
                    found.add(file);
                }
            }
        } catch (IOException | RuntimeException unreadable) {
            // Completion omits it.
            return;
        }
    }

    private static void add(Set<String> found, String simple) {
        if (simple.indexOf('$') < 0 && isIdentifier(simple)) {
            found.add(simple);
        }
    }

    private static boolean isIdentifier(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (!Character.isJavaIdentifierPart(name.charAt(i))) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static synchronized Map<String, Set<String>> jars() {
        if (jars == null) {
            Map<String, Set<String>> all = new HashMap<>();
            for (String entry : classPath()) {
                if (entry.endsWith(".jar")) {
                    jar(new File(entry), all);
                }
            }
            jars = Collections.unmodifiableMap(all);
        }
        return jars;
    }

    private static void jar(File file, Map<String, Set<String>> all) {
        try (JarFile jar = new JarFile(file)) {
            for (Enumeration<? extends ZipEntry> entries = jar.entries(); entries.hasMoreElements();) {
                String path = entries.nextElement().getName();
                if (path.endsWith(CLASS) && path.indexOf('-') < 0) {
                    names(path.substring(0, path.length() - CLASS.length()), all);
                }
            }
        } catch (IOException unreadable) {
            // Class loaders ignore it, too.
            return;
        }
    }

    /** Adds a class to its package, and the package to its parents. */
    private static void names(String path, Map<String, Set<String>> all) {
        int slash = path.lastIndexOf('/');
        Set<String> names = all.computeIfAbsent(slash < 0 ? "" : path.substring(0, slash).replace('/', '.'),
            unused -> new TreeSet<>());
        add(names, path.substring(slash + 1));
        while (slash > 0) {
            int above = path.lastIndexOf('/', slash - 1);
            String folder = above < 0 ? "" : path.substring(0, above).replace('/', '.');
            if (!all.computeIfAbsent(folder, unused -> new TreeSet<>()).add(path.substring(above + 1, slash))) {
                return;
            }
            slash = above;
        }
    }
}
