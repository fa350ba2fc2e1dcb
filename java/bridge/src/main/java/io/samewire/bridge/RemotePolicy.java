package io.samewire.bridge;

/**
 * The rules of {@link Policy#remote()}. A class of its own, since a JVM that Python launched never needs to load it.
 */
final class RemotePolicy {
    /**
     * Access to arbitrary code, to other classes by name, to the process or the machine, to the JVM's global defaults
     * and trusted settings, to the program's own streams, and to other threads.
     */
    static final String[] DENIED = {"java.lang.Runtime", "java.lang.ProcessBuilder", "java.lang.Process",
        "java.lang.ProcessHandle", "java.lang.ProcessImpl", "java.lang.ClassLoader", "java.lang.reflect",
        "java.lang.invoke", "java.lang.runtime", "java.lang.foreign", "java.lang.instrument", "java.lang.management",
        "java.lang.module", "java.lang.Module", "java.lang.ModuleLayer", "java.lang.StackWalker",
        "java.lang.SecurityManager", "java.lang.ThreadGroup", "java.lang.System#exit", "java.lang.System#load",
        "java.lang.System#loadLibrary", "java.lang.System#setSecurityManager", "java.lang.System#getProperties",
        "java.lang.System#setProperties", "java.lang.System#setProperty", "java.lang.System#clearProperty",
        "java.lang.System#getLogger", "java.lang.System$LoggerFinder", "java.lang.System#setIn",
        "java.lang.System#setOut", "java.lang.System#setErr", "java.lang.System#inheritedChannel",
        // The program's own streams, by all their names: a client could close them, or read its input.
        "java.lang.System#in", "java.lang.System#out", "java.lang.System#err", "java.lang.System#console",
        "java.lang.IO", "java.io.IO", "java.io.Console", "java.io.FileDescriptor#in", "java.io.FileDescriptor#out",
        "java.io.FileDescriptor#err",
        "java.lang.Class#forName", "java.lang.Class#newInstance", "java.lang.Class#getClassLoader",
        "java.lang.Class#getModule", "java.lang.Class#getProtectionDomain", "java.lang.Class#getResource",
        "java.lang.Class#getResourceAsStream", "java.lang.Thread#getContextClassLoader",
        "java.lang.Thread#setContextClassLoader", "java.lang.Thread#setDefaultUncaughtExceptionHandler",
        "java.lang.Thread#getThreadGroup", "java.lang.Thread#enumerate", "java.lang.Thread#getAllStackTraces",
        // A callback on a thread that all share (CompletableFuture's timer, the common pool) gets it by currentThread.
        // A connection's own thread would serve it anew, within its call.
        "java.lang.Thread#run",
        "java.lang.Thread#stop", "java.lang.Thread#suspend", "java.lang.Thread#resume", "java.lang.Thread#interrupt",
        "java.lang.Thread#setName", "java.lang.Thread#setPriority", "java.lang.Thread#setUncaughtExceptionHandler",
        "java.util.concurrent.ForkJoinPool#commonPool", "java.util.concurrent.ForkJoinPool#setParallelism",
        "java.util.concurrent.CompletableFuture#defaultExecutor",
        "java.lang.Package#getPackage", "javax.script", "javax.naming", "java.rmi", "javax.rmi", "javax.management",
        "javax.tools", "javax.annotation.processing", "javax.print", "javax.swing", "javax.accessibility",
        "javax.imageio", "javax.sound", "javax.security", "javax.xml", "org.xml", "org.w3c", "org.ietf", "java.awt",
        "java.applet", "java.beans", "java.util.ServiceLoader", "java.util.ResourceBundle", "java.util.logging",
        "java.util.prefs", "java.util.spi", "java.util.Locale#setDefault", "java.util.TimeZone#setDefault",
        "java.text.spi", "java.time.zone.ZoneRulesProvider", "java.nio.channels.spi", "java.nio.charset.spi",
        "java.nio.file.spi", "java.nio.file.FileSystems#newFileSystem", "java.net.spi", "java.net.URLStreamHandler",
        "java.net.URLStreamHandlerFactory", "java.net.ContentHandlerFactory",
        "java.net.URL#setURLStreamHandlerFactory", "java.net.URLConnection#setContentHandlerFactory",
        "java.net.URLConnection#setFileNameMap", "java.net.URLConnection#setDefaultUseCaches",
        "java.net.URLConnection#setDefaultAllowUserInteraction", "java.net.URLConnection#setDefaultRequestProperty",
        "java.net.HttpURLConnection#setFollowRedirects", "java.net.JarURLConnection#getJarFile",
        "java.net.CookieHandler#getDefault", "java.net.ResponseCache#getDefault",
        "java.net.Socket#setSocketImplFactory", "java.net.ServerSocket#setSocketFactory",
        "java.net.DatagramSocket#setDatagramSocketImplFactory", "java.net.Authenticator",
        "java.net.ProxySelector#setDefault", "java.net.CookieHandler#setDefault", "java.net.ResponseCache#setDefault",
        "javax.net.ssl.SSLContext#setDefault", "javax.net.ssl.HttpsURLConnection#setDefaultHostnameVerifier",
        "javax.net.ssl.HttpsURLConnection#setDefaultSSLSocketFactory", "java.security", "java.sql.DriverManager",
        "java.util.concurrent.atomic.AtomicIntegerFieldUpdater", "java.util.concurrent.atomic.AtomicLongFieldUpdater",
        "java.util.concurrent.atomic.AtomicReferenceFieldUpdater", "java.io.ObjectInputStream",
        "java.io.ObjectInputFilter", "javax.crypto.SealedObject", "javax.sql", "org.omg"};
    /**
     * The JDK's implementation classes, whose objects are returned by public types, and our own: pack writes memory by
     * unchecked offsets.
     */
    static final String[] HIDDEN = {"sun", "jdk", "com.sun", "java.lang.Shutdown", "io.samewire.pack",
        "org.objectweb.asm"};
    /** Allowed classes in denied packages. */
    static final String[] ALLOWED = {"java.security.MessageDigest", "java.security.SecureRandom",
        "java.security.GeneralSecurityException", "java.security.NoSuchAlgorithmException"};

    static final Policy POLICY = Policy.Builder.ofRemote().build();
}
