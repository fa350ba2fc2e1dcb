package io.samewire.pack.bind;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.Path;
import io.samewire.core.SamewireException;
import io.samewire.pack.Converter;
import io.samewire.pack.NumericArray;
import io.samewire.pack.bind.CompiledType.CompiledConverted;
import io.samewire.pack.bind.CompiledType.CompiledList;
import io.samewire.pack.bind.CompiledType.CompiledMap;
import io.samewire.pack.bind.CompiledType.CompiledOption;
import io.samewire.pack.bind.CompiledType.CompiledRef;
import io.samewire.pack.bind.CompiledType.CompiledScalar;
import io.samewire.pack.bind.CompiledType.CompiledSet;
import io.samewire.pack.bind.CompiledType.Slot;
import io.samewire.pack.bind.CompiledType.CompiledStruct;
import io.samewire.pack.bind.CompiledType.CompiledUnion;
import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaFacts;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.AnyWriter;
import io.samewire.pack.wire.LostFields;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Walks a native value that generated code has refused to write, in the order of writing, and says what is wrong and
 * where. Slow: it goes by types and reflection.
 */
final class ValueWalker {
    private static final int MOST_BIGINT_BYTES = 4096;
    private static final String REMEDY = ": no reader with these limits would read it; write several messages, or raise"
        + " that limit for the writer and its readers";
    private static final long SECONDS_MIN = -62_135_596_800L;
    private static final long SECONDS_MAX = 253_402_300_799L;

    private final SchemaFacts facts;
    private final Cells cells;
    private final Limits limits;
    private final StringBuilder path = new StringBuilder("$");
    private final Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
    /** A list holds many structs of few classes. */
    private final Map<Slot, MethodHandle> getters = new IdentityHashMap<>();
    private int depth;
    private int items;
    /** Cells that a reader needs for what has been walked. */
    private long taken;

    ValueWalker(SchemaFacts facts, Cells cells, Limits limits) {
        this.facts = facts;
        this.cells = cells;
        this.limits = limits;
    }

    SamewireException error(CompiledType compiled, Object value) {
        try {
            charge(cells.slot(compiled.type()));
            slot(compiled, value);
            return null;
        } catch (SamewireException error) {
            return error;
        }
    }

    private SamewireException fail(Code code, String text) {
        return new SamewireException(code, -1, path.toString(), text);
    }

    private void step(String text, CompiledType compiled, Object value) {
        int mark = path.length();
        path.append(text);
        slot(compiled, value);
        path.setLength(mark);
    }

    private void slot(CompiledType compiled, Object value) {
        if (compiled instanceof CompiledOption option) {
            if (value == null && option.isNullable()) {
                return;
            }
            if (value != null && !option.isNullable()) {
                declared(option, value);
            }
            Object present = option.isNullable() ? value : content(value);
            if (present != null) {
                inline(option.item);
                slot(option.item, present);
            } else if (value == null) {
                throw fail(Code.TYPE_MISMATCH, "null, where an empty Optional says that there is nothing");
            }
            return;
        }
        if (compiled.type().is(Kind.ANY)) {
            any(value);
            return;
        }
        if (value == null) {
            throw fail(Code.TYPE_MISMATCH, "null in a " + compiled.raw.getSimpleName() + " that is not @Nullable: give"
                + " it a value, or declare it @Nullable (with ? in Kotlin, as an Option in Scala)");
        }
        declared(compiled, value);
        present(compiled, value);
    }

    /** A collection of a raw type may hold anything. */
    private void declared(CompiledType compiled, Object value) {
        if (!Body.boxOf(compiled.raw).isInstance(value)) {
            throw fail(Code.TYPE_MISMATCH, value.getClass().getName() + " where " + compiled.raw.getName()
                + " was declared");
        }
    }

    private static Object content(Object optional) {
        if (optional instanceof Optional<?> some) {
            return some.orElse(null);
        } else if (optional instanceof OptionalInt some) {
            return some.isPresent() ? some.getAsInt() : null;
        } else if (optional instanceof OptionalLong some) {
            return some.isPresent() ? some.getAsLong() : null;
        } else if (optional instanceof OptionalDouble some) {
            return some.isPresent() ? some.getAsDouble() : null;
        }
        return optional == null ? null : ScalaTypes.content(optional);
    }

    private void present(CompiledType compiled, Object value) {
        if (compiled instanceof CompiledConverted converted) {
            converted(converted, value);
        } else if (compiled instanceof CompiledScalar) {
            scalar(value);
        } else if (compiled instanceof CompiledList list) {
            Object elements = value instanceof Collection<?> collection ? collection.toArray() : value;
            count(Array.getLength(elements), cells.element(list.type()));
            for (int i = 0; i < Array.getLength(elements) && !list.item.raw.isPrimitive(); i++) {
                step(Path.element(i), list.item, Array.get(elements, i));
            }
        } else if (compiled instanceof CompiledSet set) {
            count(((Collection<?>) value).size(), cells.element(set.type()));
            int i = 0;
            for (Object key : (Collection<?>) value) {
                step(Path.element(i++), set.item, key);
            }
            eachOnce(set.item, (Collection<?>) value);
        } else if (compiled instanceof CompiledMap map) {
            count(((Map<?, ?>) value).size(), cells.element(map.type()));
            int i = 0;
            for (Object key : ((Map<?, ?>) value).keySet()) {
                step(Path.key(i++), map.key, key);
            }
            eachOnce(map.key, ((Map<?, ?>) value).keySet());
            i = 0;
            for (Object element : ((Map<?, ?>) value).values()) {
                step(Path.value(i++), map.value, element);
            }
        } else if (compiled instanceof CompiledStruct struct) {
            struct(struct, value);
        } else if (compiled instanceof CompiledUnion union) {
            for (CompiledStruct member : union.nearestFirst) {
                if (member.raw.isInstance(value)) {
                    inline(member);
                    struct(member, value);
                    return;
                }
            }
        } else if (compiled instanceof CompiledRef ref && !shared.contains(value)) {
            inline(ref.struct);
            struct(ref.struct, value);
            shared.add(value);
        }
    }

    private void converted(CompiledConverted compiled, Object value) {
        Object written = encode(compiled, value);
        if (written == null) {
            throw fail(Code.TYPE_MISMATCH, compiled.converter.getClass().getName() + ".encode returned null for "
                + value.getClass().getName());
        }
        slot(compiled.wire, written);
    }

    @SuppressWarnings("unchecked") // Its value is of the declared class.
    private Object encode(CompiledConverted compiled, Object value) {
        try {
            return ((Converter<Object, Object>) compiled.converter).encode(value);
        } catch (SamewireException refused) {
            throw refused.path() != null ? refused
                : new SamewireException(refused.code(), -1, path.toString(), refused.text(), refused.getCause());
        }
    }

    /**
     * Keys that are distinct to their collection only: one that goes by identity, or has an order of its own; or whose
     * converter makes the same of two.
     */
    private void eachOnce(CompiledType compiled, Collection<?> keys) {
        Collection<?> written = keys;
        if (compiled instanceof CompiledConverted converted) {
            List<Object> made = new ArrayList<>();
            for (Object key : keys) {
                made.add(encode(converted, key));
            }
            written = made;
        }
        if (new HashSet<>(written).size() < keys.size()) {
            throw fail(Code.TYPE_MISMATCH, "two keys that are the same in the format");
        }
    }

    private void deeper() {
        if (++depth > limits.depth()) {
            throw fail(Code.LIMIT_DEPTH, "nested deeper than limits.depth, " + limits.depth()
                + ": a cycle, or raise it on both sides");
        }
    }

    /** Counts the elements of a list or set, or the entries of a map, each of so many cells. */
    private void count(int n, int each) {
        if (n > limits.items() - items) {
            throw fail(Code.LIMIT_ITEMS, "expected at most " + limits.items() + " elements of lists, sets and maps in"
                + " one message (limits.items), the " + n + " elements here make it " + ((long) items + n) + REMEDY);
        }
        items += n;
        charge(Cells.CONTAINER + (long) n * each);
    }

    private void charge(long more) {
        taken += more;
        if (taken > limits.cells()) {
            throw fail(Code.LIMIT_ITEMS, "expected values that take at most " + limits.cells() + " cells of memory when"
                + " they are read (limits.cells), with what is here they take " + taken + REMEDY);
        }
    }

    /** Charges for a struct or tuple beside its slot; a recursive one is charged when it is entered. */
    private void inline(CompiledType compiled) {
        if (cells.isInline(compiled.type())) {
            charge(cells.row(compiled.type()));
        }
    }

    private void struct(CompiledStruct compiled, Object value) {
        List<String> lost = LostFields.names(value.getClass(), compiled.raw);
        if (!lost.isEmpty()) {
            String name = value.getClass().getSimpleName();
            throw fail(Code.TYPE_MISMATCH, compiled.raw.getSimpleName() + " has no " + String.join(", ", lost)
                + ", which this " + name + " would lose: declare " + name + ", or a sealed parent of both");
        }
        boolean recursive = compiled.type() instanceof SchemaType.Struct struct && facts.recursive(struct);
        if (recursive) {
            deeper();
            charge(cells.row(compiled.type()));
        }
        for (int i = 0; i < compiled.slots.size(); i++) {
            Slot slot = compiled.slots.get(i);
            String name = compiled.type() instanceof SchemaType.Struct ? Path.field(slot.name) : Path.element(i);
            step(name, slot.compiled, get(slot, value));
        }
        depth -= recursive ? 1 : 0;
    }

    private Object get(Slot slot, Object value) {
        MethodHandle getter = getters.get(slot);
        if (getter == null) {
            getter = Access.reflective(slot.getter);
            getters.put(slot, getter);
        }
        try {
            return (Object) getter.invokeExact(value);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable checked) {
            throw new SamewireException(Code.TYPE_MISMATCH, -1, path.toString(),
                "the accessor of " + slot.name + " failed", checked);
        }
    }

    private void scalar(Object value) {
        if (value instanceof String text) {
            text(text);
        } else if (value instanceof BigInteger number) {
            size(number);
        } else if (value instanceof BigDecimal decimal) {
            size(decimal.unscaledValue());
        } else if (value instanceof LocalDate date) {
            ranged(date.getYear() >= 1 && date.getYear() <= 9999, date);
        } else if (value instanceof Instant instant) {
            ranged(instant.getEpochSecond() >= SECONDS_MIN && instant.getEpochSecond() <= SECONDS_MAX, instant);
        }
    }

    private void text(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isHighSurrogate(text.charAt(i)) || i + 1 == text.length()
                    || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw fail(Code.BAD_UTF8, "a lone surrogate at index " + i + " of a string");
                }
                i++;
            }
        }
    }

    private void size(BigInteger number) {
        if (number.bitLength() / 8 + 1 > MOST_BIGINT_BYTES) {
            throw fail(Code.LIMIT_SIZE, "an integer of more than 4,096 bytes, the most that the format holds");
        }
    }

    private void ranged(boolean inRange, Object value) {
        if (!inRange) {
            throw fail(Code.TYPE_MISMATCH, value + " is not within the years 1 to 9999");
        }
    }

    private void any(Object value) {
        if (value == null || value instanceof Number || value instanceof String || value instanceof LocalDate
            || value instanceof Instant) {
            if (value instanceof Number
                && !(value instanceof BigDecimal || value instanceof BigInteger || value instanceof Double
                || value instanceof Float || AnyWriter.key(value) != null)) {
                throw foreign(value);
            }
            charge(value instanceof BigDecimal ? Cells.DECIMAL - Cells.ANY : 0);
            scalar(value);
        } else if (value instanceof Collection<?> || value instanceof Object[]) {
            deeper();
            Object[] elements = value instanceof Collection<?> list ? list.toArray() : (Object[]) value;
            count(elements.length, Cells.ANY);
            int i = 0;
            for (Object element : elements) {
                anyStep(Path.element(i++), element);
            }
            depth--;
        } else if (value instanceof Map<?, ?> map) {
            deeper();
            count(map.size(), Cells.ANY_ENTRY);
            anyKeys(map.keySet().toArray());
            int i = 0;
            for (Object element : map.values()) {
                anyStep(Path.value(i++), element);
            }
            depth--;
        } else if (value instanceof byte[]) {
            charge(Cells.BYTES - Cells.ANY);
        } else if (!(value instanceof Boolean || value instanceof UUID || value instanceof LocalTime
            || value instanceof Duration)) {
            NumericArray numbers = value instanceof NumericArray given ? given : NumericArray.ofSigned(value);
            if (numbers == null) {
                throw foreign(value);
            }
            count(Array.getLength(numbers.values()), 1);
        }
    }

    private void anyKeys(Object[] keys) {
        for (int i = 0; i < keys.length; i++) {
            Object key = AnyWriter.key(keys[i]);
            if (key == null || !AnyWriter.isAlike(key, AnyWriter.key(keys[0]))) {
                path.append(Path.key(i));
                String came = keys[i] == null ? "null" : keys[i].getClass().getName();
                throw fail(Code.TYPE_MISMATCH, key == null
                    ? "the keys of a map in an any are strings and integers of 64 bits, not " + came
                        + "; others need a declared Map<K, V>"
                    : "the keys of a map in an any are all strings or all integers, here a " + came
                        + " is not of the first key's kind: write the integers as strings, or use two maps");
            }
            anyStep(Path.key(i), keys[i]);
        }
        if (AnyWriter.isRepeated(keys)) {
            throw fail(Code.TYPE_MISMATCH,
                "two keys of a map in an any are the same in the format, as Integer and as Long, say");
        }
    }

    private SamewireException foreign(Object value) {
        String name = value.getClass().getName();
        return fail(Code.TYPE_MISMATCH, "an any cannot hold a " + name + ": "
            + (value instanceof Optional ? "write what is in it, or null"
                : value instanceof Enum ? "write its name, or declare a field of that class"
                : name.startsWith("scala.") ? "write null, and collections and numbers of java.util and java.math"
                : "declare a field of that class, or write a Map of its parts"));
    }

    private void anyStep(String step, Object value) {
        int mark = path.length();
        path.append(step);
        any(value);
        path.setLength(mark);
    }
}
