package py4j.reflection;

/** Finds classes with the loader of this class. */
public class RootClassLoadingStrategy implements ClassLoadingStrategy {
    /** Creates one. */
    public RootClassLoadingStrategy() {}

    @Override
    public Class<?> classForName(String className) throws ClassNotFoundException {
        return Class.forName(className);
    }

    @Override
    public ClassLoader getClassLoader() {
        return RootClassLoadingStrategy.class.getClassLoader();
    }
}
