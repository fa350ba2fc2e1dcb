package io.samewire.pack.cli;

import io.samewire.core.SamewireException;
import io.samewire.pack.Converter;
import io.samewire.pack.TypeRef;
import io.samewire.pack.bind.Converters;
import io.samewire.pack.bind.JavaType;
import io.samewire.pack.bind.ReflectedTypes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.AnnotatedParameterizedType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metadata for native images of the types of a program's codecs. */
final class NativeImageMetadata {
    /** What the library's own jar registers: no program needs to repeat it. */
    private static final String OWN = "/META-INF/native-image/io.samewire/samewire-pack/reflect-config.json";
    private static final Pattern NAME = Pattern.compile("\"name\": \"([^\"]+)\"");
    private static final String WHOLE = ", \"allDeclaredConstructors\": true, \"allDeclaredMethods\": true,\n"
        + "    \"allDeclaredFields\": true, \"allRecordComponents\": true, \"allPermittedSubclasses\": true}";
    private static final String PUBLIC = ", \"allPublicConstructors\": true, \"allPublicMethods\": true}";

    private final List<String> entries = new ArrayList<>();
    private final List<String> resources = new ArrayList<>();

    private NativeImageMetadata() {}

    /** Returns what codecs of the types reach; Converters among them are those of all codecs. */
    static NativeImageMetadata of(List<String> names) throws Usage, IOException {
        Converters converters = new Converters();
        List<Class<?>> types = new ArrayList<>();
        List<Class<?>> converting = new ArrayList<>();
        for (String name : names) {
            Class<?> type = load(name);
            if (Converter.class.isAssignableFrom(type)) {
                converters.add(made(type));
                converting.add(type);
            } else {
                types.add(type);
            }
        }
        ReflectedTypes reflected = new ReflectedTypes(converters);
        converting.forEach(reflected::add);
        for (Class<?> type : types) {
            try {
                if (TypeRef.class.isAssignableFrom(type)) {
                    reflected.add(type);
                    reflected.add(captured(type));
                } else {
                    reflected.add(JavaType.of(type));
                }
            } catch (SamewireException refused) {
                throw new Usage(type.getName() + ": " + refused.getMessage());
            }
        }
        NativeImageMetadata made = new NativeImageMetadata();
        made.add(reflected);
        return made;
    }

    private static Class<?> load(String name) throws Usage {
        try {
            return Class.forName(name, false, ClassLoader.getSystemClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            throw new Usage("expected the name of a class on the class path, as shop.Order or shop.Order$Line, found "
                + name + " (" + absent + "): for a type with type arguments name a subclass of TypeRef");
        }
    }

    private static Converter<?, ?> made(Class<?> type) throws Usage {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return (Converter<?, ?>) constructor.newInstance();
        } catch (ReflectiveOperationException | RuntimeException none) {
            throw new Usage("expected a converter that a constructor without parameters makes, found " + type.getName()
                + " (" + none + ")");
        }
    }

    private static JavaType captured(Class<?> type) throws Usage {
        if (type.getSuperclass() == TypeRef.class
            && type.getAnnotatedSuperclass() instanceof AnnotatedParameterizedType parent) {
            return JavaType.of(parent.getAnnotatedActualTypeArguments()[0]);
        }
        throw new Usage("expected a class that extends TypeRef directly, as new TypeRef<List<Order>>() {} does, found "
            + type.getName());
    }

    private void add(ReflectedTypes reflected) throws IOException {
        Set<String> own = own();
        for (Map.Entry<String, Boolean> type : reflected.names().entrySet()) {
            String name = type.getKey();
            if (!own.contains(name)) {
                String members = type.getValue() ? WHOLE : name.endsWith("[]") ? "}" : PUBLIC;
                entries.add("  {\"name\": \"" + name + "\"" + members);
            }
        }
        for (String path : reflected.resources()) {
            resources.add("    {\"pattern\": \"\\\\Q" + path + "\\\\E\"}");
        }
    }

    private static Set<String> own() throws IOException {
        try (InputStream file = NativeImageMetadata.class.getResourceAsStream(OWN)) {
            Set<String> names = new HashSet<>();
            Matcher found = NAME.matcher(new String(file.readAllBytes(), StandardCharsets.UTF_8));
            while (found.find()) {
                names.add(found.group(1));
            }
            return names;
        }
    }

    /** Writes the files and returns their paths; that of resources only if there are some. */
    List<Path> write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Path> written = new ArrayList<>();
        written.add(Files.writeString(folder.resolve("reflect-config.json"),
            "[\n" + String.join(",\n", entries) + "\n]\n"));
        if (!resources.isEmpty()) {
            written.add(Files.writeString(folder.resolve("resource-config.json"),
                "{\n  \"resources\": {\"includes\": [\n" + String.join(",\n", resources) + "\n  ]}\n}\n"));
        }
        return written;
    }
}
