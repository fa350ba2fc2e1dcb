package py4j.reflection;

/** Says how classes are found by their names. */
public interface ClassLoadingStrategy {
    /** Returns the class of a name. */
    Class<?> classForName(String className) throws ClassNotFoundException;

    /** Returns the loader for proxies. */
    ClassLoader getClassLoader();
}
