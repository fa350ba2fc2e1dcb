package io.samewire.spark.types;

/** What classes that stand for structs and tuples have: their fields by number. For generated code. */
public interface Fields {
    /** Returns a field, boxed. */
    Object get(int field);

    /** Sets a field. */
    void set(int field, Object value);
}
