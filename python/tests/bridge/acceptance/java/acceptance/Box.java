package acceptance;

import java.util.Objects;

/** A generic class with a value's equality. */
public final class Box<T extends Comparable<T>> implements Comparable<Box<T>> {
    private T value;

    public Box(T value) {
        this.value = value;
    }

    public T get() {
        return value;
    }

    public void set(T value) {
        this.value = value;
    }

    public static <T extends Comparable<T>> Box<T> of(T value) {
        return new Box<>(value);
    }

    public static <T> T identity(T value) {
        return value;
    }

    @Override
    public int compareTo(Box<T> other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Box<?> box && Objects.equals(value, box.value);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(value);
    }

    @Override
    public String toString() {
        return "Box[" + value + "]";
    }
}
