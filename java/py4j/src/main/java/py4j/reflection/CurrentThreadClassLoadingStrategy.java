package py4j.reflection;

/** Finds classes with the calling thread's context class loader. The default. */
public class CurrentThreadClassLoadingStrategy implements ClassLoadingStrategy {
    /** Creates one. */
    public CurrentThreadClassLoadingStrategy() {}

    @Override
    public Class<?> classForName(String className) throws ClassNotFoundException {
        return Class.forName(className, true, getClassLoader());
    }

    @Override
    public ClassLoader getClassLoader() {
        return Thread.currentThread().getContextClassLoader();
    }
}
