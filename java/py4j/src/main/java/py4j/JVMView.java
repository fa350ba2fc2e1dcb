package py4j;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/** The imports of one view of the JVM: simple names of classes, and packages. */
public class JVMView {
    /** The package that every view imports. */
    public static final String JAVA_LANG_STAR_IMPORT = "java.lang";

    private final ConcurrentMap<String, String> singleImports = new ConcurrentHashMap<>();
    private final Set<String> starImports = new ConcurrentSkipListSet<>();
    private final Set<String> lastImportSearches = new ConcurrentSkipListSet<>();
    private final AtomicInteger sequence = new AtomicInteger(1);
    private String name;
    private String id;

    /** Creates a view that imports {@code java.lang} alone. */
    public JVMView(String name, String id) {
        this.name = name;
        this.id = id;
        starImports.add(JAVA_LANG_STAR_IMPORT);
    }

    /** Imports a class by its full name; the first of a simple name stays. */
    public void addSingleImport(String singleImport) {
        singleImports.putIfAbsent(simpleName(singleImport), singleImport);
        sequence.incrementAndGet();
    }

    /** Imports the classes of a package, named {@code package.*}. */
    public void addStarImport(String starImport) {
        starImports.add(packageName(starImport));
    }

    /** Drops all imports but {@code java.lang}. */
    public void clearImports() {
        singleImports.clear();
        starImports.clear();
        starImports.add(JAVA_LANG_STAR_IMPORT);
        sequence.incrementAndGet();
    }

    /** Drops the import of a class, and returns whether there was one. */
    public boolean removeSingleImport(String importString) {
        boolean removed = singleImports.remove(simpleName(importString), importString);
        sequence.incrementAndGet();
        return removed;
    }

    /** Drops the import of a package, named {@code package.*}, and returns whether there was one. */
    public boolean removeStarImport(String starImport) {
        return starImports.remove(packageName(starImport));
    }

    /** Returns the full names of imported classes by their simple names. */
    public Map<String, String> getSingleImportsMap() {
        return singleImports;
    }

    /** Returns the imported packages. */
    public Set<String> getStarImports() {
        return starImports;
    }

    /** Returns an empty set, since searches are not recorded. */
    public Set<String> getLastImportSearches() {
        return lastImportSearches;
    }

    /** Returns the simple names of the imported classes. */
    public String[] getImportedNames() {
        return singleImports.keySet().toArray(new String[0]);
    }

    /** Returns a number that changes when {@link #getImportedNames} does. */
    public int getSequenceId() {
        return sequence.get();
    }

    /** Returns the id under which the gateway keeps the view. */
    public String getId() {
        return id;
    }

    /** Sets the id under which the gateway keeps the view. */
    public void setId(String id) {
        this.id = id;
    }

    /** Returns the view's name. */
    public String getName() {
        return name;
    }

    /** Sets the view's name. */
    public void setName(String name) {
        this.name = name;
    }

    private static String simpleName(String full) {
        return full.substring(full.lastIndexOf('.') + 1);
    }

    private static String packageName(String starImport) {
        int dot = starImport.lastIndexOf('.');
        return dot < 0 ? starImport : starImport.substring(0, dot);
    }
}
