package py4j.reflection;

/** Finds classes by the strategy of this JVM. */
public final class ReflectionUtil {
    private static volatile ClassLoadingStrategy strategy = new CurrentThreadClassLoadingStrategy();

    private ReflectionUtil() {}

    /** Returns the strategy. */
    public static ClassLoadingStrategy getClassLoadingStrategy() {
        return strategy;
    }

    /** Sets the strategy. */
    public static void setClassLoadingStrategy(ClassLoadingStrategy classLoadingStrategy) {
        strategy = classLoadingStrategy;
    }

    /** Returns the class of a name. */
    public static Class<?> classForName(String className) throws ClassNotFoundException {
        return strategy.classForName(className);
    }

    /** Returns the loader for proxies. */
    public static ClassLoader getClassLoader() {
        return strategy.getClassLoader();
    }
}
