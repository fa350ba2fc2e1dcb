package io.samewire.bridge.invoke;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.Operations;
import io.samewire.bridge.Policy;
import io.samewire.bridge.session.Invocation;
import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a client elsewhere tries to run code of its choice, and is refused. */
class RemotePolicyTest {
    private final Caller caller = new Caller(Policy.remote(), Map.of());

    private void refused(int action, String type, String member, Caller.Argument... arguments) {
        SamewireException error = assertThrows(SamewireException.class,
            () -> caller.call(action, type, member, "", arguments), () -> type + " " + member);
        assertEquals(Code.UNSUPPORTED, error.code(), error.getMessage());
        assertTrue(error.getMessage().contains("policy denies"), error.getMessage());
    }

    private void refusedStatic(String type, String member, Caller.Argument... arguments) {
        refused(Definition.STATIC, type, member, arguments);
    }

    private void refusedMethod(Object receiver, String member, Caller.Argument... arguments) {
        List<Caller.Argument> all = new ArrayList<>(List.of(arguments));
        all.add(0, caller.object(receiver));
        refused(Definition.METHOD, "", member, all.toArray(new Caller.Argument[0]));
    }

    @Test
    void processes() {
        refusedStatic("java.lang.Runtime", "getRuntime");
        refused(Definition.CONSTRUCT, "java.lang.ProcessBuilder", "",
            Caller.of("list<string>", out -> out.strings(new String[] {"id"})));
        refusedStatic("java.lang.ProcessHandle", "current");
        refusedStatic("java.lang.System", "exit", Caller.i32(0));
        refusedStatic("java.lang.System", "load", Caller.text("/tmp/x.so"));
        refusedStatic("java.lang.System", "loadLibrary", Caller.text("x"));
    }

    @Test
    void whatTheWholeJvmTrustsOrTakesForADefault() {
        refusedStatic("java.lang.System", "getProperties");
        refusedStatic("java.lang.System", "clearProperty", Caller.text("x"));
        refusedStatic("java.lang.System", "setOut", Caller.none());
        refusedStatic("javax.net.ssl.HttpsURLConnection", "setDefaultHostnameVerifier", Caller.none());
        refusedStatic("javax.net.ssl.SSLContext", "setDefault", Caller.none());
        refusedStatic("java.net.Authenticator", "setDefault", Caller.none());
        refusedStatic("java.net.ProxySelector", "setDefault", Caller.none());
        refusedStatic("java.util.TimeZone", "setDefault", Caller.none());
        refusedStatic("java.net.URLConnection", "setDefaultUseCaches", Caller.text("jar"), Caller.bool(false));
        refusedStatic("java.net.HttpURLConnection", "setFollowRedirects", Caller.bool(true));
        refusedStatic("java.util.concurrent.ForkJoinPool", "commonPool");
        refusedMethod(new CompletableFuture<>(), "defaultExecutor");
    }

    @Test
    void streamsOfTheProgram() {
        for (String name : List.of("in", "out", "err")) {
            refused(Definition.STATIC_GET, "java.lang.System", name);
            refused(Definition.STATIC_GET, "java.io.FileDescriptor", name);
        }
        refusedStatic("java.lang.System", "console");
    }

    @Test
    void threadsOfOthers() {
        refusedMethod(Thread.currentThread(), "getThreadGroup");
        refusedStatic("java.lang.Thread", "getAllStackTraces");
        refusedStatic("java.lang.Thread", "setDefaultUncaughtExceptionHandler", Caller.none());
        refused(Definition.CONSTRUCT, "java.lang.ThreadGroup", "", Caller.text("x"));
        // Some are gone from later JDKs.
        Set<String> changing = Set.of("run", "stop", "suspend", "resume", "interrupt", "setName", "setPriority",
            "setUncaughtExceptionHandler", "setContextClassLoader");
        for (Method method : Thread.class.getMethods()) {
            if (changing.contains(method.getName())) {
                assertFalse(Policy.remote().admits(method), method::toString);
            }
        }
        refusedMethod(new Thread("x"), "setName", Caller.text("y"));
    }

    @Test
    void memory() {
        refusedStatic("io.samewire.pack.wire.Memory", "putLong");
        refusedStatic("io.samewire.pack.Pack", "codec", caller.object(String.class));
        refused(Definition.CONSTRUCT, "org.objectweb.asm.ClassWriter", "", Caller.i32(0));
    }

    @Test
    void classesByName() {
        refusedStatic("java.lang.Class", "forName", Caller.text("java.lang.Runtime"));
        refusedMethod(String.class, "getClassLoader");
        refusedMethod(String.class, "newInstance");
        refusedMethod(String.class, "getModule");
        refusedMethod(String.class, "getResourceAsStream", Caller.text("/x"));
        refusedStatic("java.lang.ClassLoader", "getSystemClassLoader");
        refused(Definition.CONSTRUCT, "java.net.URLClassLoader", "", Caller.none());
        refusedMethod(Thread.currentThread(), "getContextClassLoader");
        refusedStatic("java.util.ServiceLoader", "load", caller.object(String.class));
        refusedStatic("java.util.ResourceBundle", "getBundle", Caller.text("x"));
        refusedStatic("org.xml.sax.helpers.XMLReaderFactory", "createXMLReader", Caller.text("java.lang.Thread"));
        refusedStatic("org.xml.sax.helpers.ParserFactory", "makeParser", Caller.text("java.lang.Thread"));
        refusedStatic("org.w3c.dom.bootstrap.DOMImplementationRegistry", "newInstance");
    }

    @Test
    void fileSystemsThatLoadCode() {
        // jrt:/ with {java.home: FOLDER} loads FOLDER/lib/jrt-fs.jar and constructs a class of it.
        refusedStatic("java.nio.file.FileSystems", "newFileSystem", caller.object(URI.create("jrt:/")),
            caller.object(Map.of("java.home", "/tmp")));
        refusedStatic("java.nio.file.FileSystems", "newFileSystem", caller.object(Path.of("/tmp/x.jar")),
            caller.object(Map.of()));
        refusedMethod(FileSystems.getDefault(), "provider");
        refusedStatic("java.nio.file.spi.FileSystemProvider", "installedProviders");
    }

    @Test
    void reflection() {
        refusedMethod(String.class, "getMethods");
        refusedMethod(String.class, "getDeclaredConstructors");
        refusedStatic("java.lang.invoke.MethodHandles", "lookup");
        refusedStatic("java.lang.invoke.MethodHandles", "publicLookup");
        refusedStatic("java.lang.reflect.Array", "newInstance", caller.object(String.class), Caller.i32(1));
        refusedStatic("java.lang.reflect.Proxy", "isProxyClass", caller.object(String.class));
        refused(Definition.CONSTRUCT, "java.beans.Expression", "", Caller.none(), Caller.text("x"), Caller.none());
        refused(Definition.CONSTRUCT, "java.beans.XMLDecoder", "", Caller.none());
        refusedStatic("java.util.concurrent.atomic.AtomicReferenceFieldUpdater", "newUpdater",
            caller.object(String.class), caller.object(String.class), Caller.text("x"));
        refused(Definition.CONSTRUCT, "javax.swing.UIDefaults$ProxyLazyValue", "", Caller.text("java.lang.Runtime"));
    }

    @Test
    void interpretersAndLookUps() {
        refused(Definition.CONSTRUCT, "javax.script.ScriptEngineManager", "");
        refused(Definition.CONSTRUCT, "javax.naming.InitialContext", "");
        refusedStatic("java.rmi.Naming", "lookup", Caller.text("rmi://x"));
        refusedStatic("java.lang.management.ManagementFactory", "getPlatformMBeanServer");
        refusedStatic("javax.tools.ToolProvider", "getSystemJavaCompiler");
        refusedStatic("javax.xml.transform.TransformerFactory", "newInstance");
        refusedStatic("java.sql.DriverManager", "getConnection", Caller.text("jdbc:x"));
        refusedStatic("java.util.logging.LogManager", "getLogManager");
        refusedStatic("java.security.Security", "getProviders");
    }

    @Test
    void deserialisation() {
        refused(Definition.CONSTRUCT, "java.io.ObjectInputStream", "", Caller.none());
        refused(Definition.CONSTRUCT, "javax.crypto.SealedObject", "", Caller.none(), Caller.none());
        refused(Definition.CONSTRUCT, "java.security.SignedObject", "", Caller.none(), Caller.none(), Caller.none());
    }

    @Test
    void implementationsOfTheJdk() {
        refusedStatic("sun.misc.Unsafe", "getUnsafe");
        refusedStatic("jdk.internal.misc.Unsafe", "getUnsafe");
        refusedStatic("com.sun.jndi.ldap.LdapCtxFactory", "getLdapCtxInstance", Caller.text("x"));
    }

    @Test
    void theGatewayItself() {
        refusedStatic("io.samewire.bridge.Policy", "local");
        refusedStatic("io.samewire.bridge.Gateway", "builder");
        refusedStatic("io.samewire.bridge.session.Channel", "current");
        refusedMethod(caller.session, "policy");
    }

    @Test
    void objectsOfDeniedClassesAreNotPassed() {
        for (Object object : List.of(getClass().getClassLoader(), Runtime.getRuntime(), String.class.getMethods()[0],
            String.class.getMethods(), new ProcessBuilder("id"))) {
            List<Object> holder = List.of(object);
            SamewireException error = assertThrows(SamewireException.class,
                () -> caller.invoke(new ArrayList<>(holder), "get", Caller.i32(0)));
            assertEquals(Code.UNSUPPORTED, error.code());
        }
        assertThrows(SamewireException.class, () -> caller.session.policy().check(Custom.class));
    }

    /** A program's own stream, which is one of those that make objects of classes by name. */
    private static final class Custom extends ObjectInputStream {
        Custom() throws IOException {
            super(new ByteArrayInputStream(new byte[0]));
        }
    }

    @Test
    void operationsGiveNothingAway() {
        String operations = Operations.class.getName();
        refusedStatic(operations, "classOf", Caller.text("java.lang.Runtime"));
        refusedStatic(operations, "classOf", Caller.text("java.lang.reflect.Method[]"));
        refusedStatic(operations, "newArray", Caller.text("java.lang.ClassLoader"), Caller.ints("list<i32>", 1));
        for (String folder : List.of("/", "/etc", "..", "...", "../..", "a/b", ".a", "a.", "a..b", "C:", "a\\b")) {
            SamewireException error = assertThrows(SamewireException.class,
                () -> caller.invokeStatic(Operations.class, "names", Caller.text(folder)), folder);
            assertEquals(Code.MISUSE, error.code());
        }
    }

    @Test
    void anArrayHasNoMoreElementsThanALargeValueBytes() throws Throwable {
        assertNotNull(caller.invokeStatic(Operations.class, "newArray", Caller.text("byte"),
            Caller.ints("list<i32>", 3, 5)));
        SamewireException error = assertThrows(SamewireException.class, () -> caller.invokeStatic(Operations.class,
            "newArray", Caller.text("byte"), Caller.ints("list<i32>", 1 << 20, 1 << 11)));
        assertEquals(Code.LIMIT_SIZE, error.code());
        assertTrue(error.text().endsWith("or raise GatewayBuilder.blobBytes (limits.blob_bytes)"), error.text());
    }

    @Test
    void interfacesThatAreDeniedAreNotImplemented() {
        refusedStatic("java.lang.String", "valueOf", Caller.peer(1, "java.lang.reflect.InvocationHandler"));
        refusedStatic("java.lang.String", "valueOf", Caller.peer(1, "java.lang.instrument.ClassFileTransformer"));
    }

    @Test
    void ordinaryObjectsWork() throws Throwable {
        assertEquals(3, caller.invokeStatic(Math.class, "max", Caller.i32(3), Caller.i32(2)));
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        assertEquals("a", caller.invoke(list, "get", Caller.i32(0)));
        assertEquals("[a]", caller.invoke(list, "toString"));
        // A class of sun.nio.fs, through the interface that it implements.
        assertEquals(true, caller.invoke(Path.of("/tmp"), "isAbsolute"));
        assertEquals("/tmp", caller.invoke(new File("/tmp"), "getPath"));
        assertNotNull(caller.invokeStatic(Thread.class, "currentThread"));
        assertEquals("java.lang.String", caller.invoke(String.class, "getName"));
    }

    @Test
    void descriptionsLackWhatIsDenied() throws Throwable {
        Invocation describe = caller.resolve(Definition.DESCRIBE, "", "", "", Caller.text("java.lang.System"));
        Output out = new Output(Limits.DEFAULT);
        Input in = new Input(Limits.DEFAULT, 1);
        byte[] bytes = Caller.bytes(Caller.text("java.lang.System"));
        in.reset(bytes, 0, bytes.length, null);
        describe.invoke(caller.channel, in, out);
        String text = new String(out.array(), 0, out.length(), StandardCharsets.ISO_8859_1);
        assertTrue(text.contains("currentTimeMillis"));
        assertEquals(-1, text.indexOf("exit"));
        assertEquals(-1, text.indexOf("loadLibrary"));
    }
}
