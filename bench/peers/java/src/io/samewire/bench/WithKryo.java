package io.samewire.bench;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Kryo with registered classes, without references. */
public final class WithKryo implements Peer {
    private final Kryo kryo = new Kryo();
    private final Output output = new Output(1 << 20);

    /** One variant: {@code records}. */
    public WithKryo(String variant, String shape) {
        kryo.setReferences(false);
        for (Class<?> type :
                List.of(ArrayList.class, LinkedHashMap.class, int[].class, double[].class, Event.class, Book.class, Node.class)) {
            kryo.register(type);
        }
    }

    @Override
    public String version() {
        return "5.6.2";
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
