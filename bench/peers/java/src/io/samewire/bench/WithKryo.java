package io.samewire.bench;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Kryo with registered classes, without references. */
public final class WithKryo implements Peer {
    private final Kryo kryo = new Kryo();
    private final Output output = new Output(1 << 20, -1);

    private WithKryo(Workload workload) {
        kryo.setReferences(false);
        List.of(ArrayList.class, LinkedHashMap.class, int[].class, double[].class).forEach(kryo::register);
        workload.classes().forEach(kryo::register);
        if (workload.isOwn()) {
            kryo.setRegistrationRequired(false);
        }
    }

    /** One row. */
    public static Map<String, Library> rows() {
        return Map.of("kryo", new Library(Kryo.class, "typed", "bounds, registered classes", false, true, WithKryo::new));
    }

    @Override
    public byte[] encode(Object value) {
        into(value);
        return output.toBytes();
    }

    @Override
    public int into(Object value) {
        output.setPosition(0);
        kryo.writeClassAndObject(output, value);
        return output.position();
    }

    @Override
    public Object decode(byte[] data) {
        return kryo.readClassAndObject(new Input(data));
    }
}
