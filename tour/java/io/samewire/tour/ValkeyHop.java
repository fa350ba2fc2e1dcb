package io.samewire.tour;

import io.samewire.pack.Codec;
import io.samewire.pack.Pack;
import io.samewire.pack.TypeRef;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Java's part of the hop through Valkey: reads with its own client the typed values that Python stored.
 *
 * <p>Usage: {@code ValkeyHop WORK URI}. Each line of the standard input is a data set, {@code ID OUTER ROWS}; ROWS is 0
 * if the whole value is stored alone. Writes {@code redis-java.pack} in its folder, then a line.
 */
public final class ValkeyHop {
    private ValkeyHop() {}

    /** Runs until the standard input ends. */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path work = Path.of(arguments[0]);
        try (RedisClient client = RedisClient.connect(arguments[1]);
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                TypeRef<?> type = (TypeRef<?>) Class.forName("io.samewire.tour.types." + words[1]).getField("TYPE").get(null);
                Files.write(work.resolve(words[0]).resolve("redis-java.pack"), read(client, type, Integer.parseInt(words[2])));
                System.out.println(words[0]);
            }
        }
    }

    private static byte[] read(RedisClient client, TypeRef<?> type, int rows) {
        Codec<Object> codec = Pack.builder(type.type()).build();
        if (rows == 0) {
            return codec.encode(store(client, codec).get("0").orElseThrow());
        }
        AnnotatedType row = rowOf(type.type());
        Store<Object> store = store(client, Pack.builder(row).build());
        List<String> names = new ArrayList<>(rows);
        for (int i = 0; i < rows; i++) {
            names.add(String.valueOf(i));
        }
        List<Object> values = new ArrayList<>(rows);
        store.getAll(names).forEach(value -> values.add(value.orElseThrow()));
        return codec.encode(type.type() instanceof AnnotatedArrayType ? arrayOf((Class<?>) row.getType(), values) : values);
    }

    /** Returns the type of the elements of a list, or of an array: lists of numbers are arrays. */
    private static AnnotatedType rowOf(AnnotatedType outer) {
        return outer instanceof AnnotatedArrayType array ? array.getAnnotatedGenericComponentType()
            : ((AnnotatedParameterizedType) outer).getAnnotatedActualTypeArguments()[0];
    }

    private static Object arrayOf(Class<?> component, List<Object> values) {
        Object array = Array.newInstance(component, values.size());
        for (int i = 0; i < values.size(); i++) {
            Array.set(array, i, values.get(i));
        }
        return array;
    }

    private static Store<Object> store(RedisClient client, Codec<Object> codec) {
        return client.typed(codec).store("compact:");
    }
}
