package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import java.lang.Character.UnicodeScript;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.IntFunction;

/** Lists whose elements take much memory for their bytes, one for each way of binding a type. */
final class HeavyValues {
    /** As many constants as an enum of the JDK has, about 160: an {@link EnumMap} has a place for each. */
    private static final UnicodeScript CONSTANT = UnicodeScript.LATIN;

    /** Elements of a message whose cells are counted. */
    private static final int FEW = 2000;
    private static final int MOST_CELLS_EACH = 64;

    record Flag(boolean set) {}

    record Options(@Nullable Long a, @Nullable String b, @Nullable List<Byte> c, @Nullable Flag d, Optional<Long> e,
        @Nullable Double f, @Nullable UUID g, @Nullable Instant h) {}

    record Tree(List<Tree> kids) {}

    record Chain(@Nullable Chain next) {}

    record Queues(ArrayDeque<Byte> a, Set<Byte> b, SortedSet<Byte> c) {}

    @Tuple
    record Pair(long left, Optional<Long> right) {}

    sealed interface Either permits Left, Right {}

    record Left() implements Either {}

    record Right(Optional<Long> value) implements Either {}

    record Boxed(@Shared Flag flag) {}

    @Name("Grown")
    record Before(boolean set) {}

    @Name("Grown")
    record After(boolean set, @Nullable Long a, @Nullable String b, @Default("[]") List<Byte> c,
        @Default("[]") Set<Byte> d) {}

    /** A list to write, element by element, and how it is read. */
    static final class Heavy {
        private final TypeRef<?> written;
        private final TypeRef<?> read;
        private final IntFunction<?> element;
        private Codec<?> writer;
        private CodecBuilder<?> reader;

        Heavy(TypeRef<?> written, TypeRef<?> read, IntFunction<?> element) {
            this.written = written;
            this.read = read;
            this.element = element;
        }

        private Codec<?> writer() {
            writer = writer == null ? Pack.codec(written) : writer;
            return writer;
        }

        byte[] message(int n) {
            List<Object> list = new AbstractList<>() {
                @Override
                public Object get(int index) {
                    return element.apply(index);
                }

                @Override
                public int size() {
                    return n;
                }
            };
            @SuppressWarnings("unchecked") // Elements are of the writer's type.
            Codec<Object> codec = (Codec<Object>) writer();
            return codec.encode(list);
        }

        Decoder<?> reader(int cells) {
            reader = reader == null ? Pack.builder(read) : reader;
            Codec<?> codec = reader.limits(Limits.DEFAULT.withCells(cells)).build();
            return read == written ? codec : codec.resolve(writer().schema().text());
        }

        /** Returns how many cells a message of {@link #FEW} elements takes, found by trying limits. */
        private int cells(byte[] message) {
            int least = FEW;
            int most = MOST_CELLS_EACH * FEW;
            while (least < most) {
                int middle = (least + most) >>> 1;
                if (isRefused(message, middle)) {
                    least = middle + 1;
                } else {
                    most = middle;
                }
            }
            return least;
        }

        private boolean isRefused(byte[] message, int cells) {
            try {
                reader(cells).decode(message);
                return false;
            } catch (SamewireException error) {
                if (error.code() != Code.LIMIT_ITEMS) {
                    throw error;
                }
                return true;
            }
        }

        /**
         * Returns about the longest message of this list that takes at most that many cells, and as large a part of the
         * other limits.
         */
        byte[] longest(int cells) {
            double part = cells / (double) Limits.DEFAULT.cells();
            byte[] few = message(FEW);
            double byCells = cells / (double) cells(few);
            double byBytes = part * Limits.DEFAULT.frameBytes() / few.length;
            double n = FEW * Math.min(Math.min(byCells, byBytes) * 0.999, part * Limits.DEFAULT.items() / FEW);
            byte[] message = message((int) n);
            while (isRefused(message, cells)) {
                n *= 0.95;
                message = message((int) n);
            }
            return message;
        }

        @Override
        public String toString() {
            String schema = writer().schema().text();
            return schema.substring(0, Math.min(schema.length(), 60)) + " of " + element.apply(0).getClass();
        }
    }

    private HeavyValues() {}

    private static <T> Heavy of(TypeRef<List<T>> type, IntFunction<T> element) {
        return new Heavy(type, type, element);
    }

    private static <T> Heavy resolved(TypeRef<List<T>> writer, TypeRef<?> reader, IntFunction<T> element) {
        return new Heavy(writer, reader, element);
    }

    /** Every list. Texts are new each, and numbers none that the JDK keeps boxed. */
    static List<Heavy> all() {
        List<Heavy> all = new ArrayList<>();
        scalars(all);
        containers(all);
        structs(all);
        return all;
    }

    private static void scalars(List<Heavy> all) {
        all.add(of(new TypeRef<List<Boolean>>() {}, i -> true));
        all.add(of(new TypeRef<List<Byte>>() {}, i -> (byte) i));
        all.add(of(new TypeRef<List<Short>>() {}, i -> (short) 1000));
        all.add(of(new TypeRef<List<Long>>() {}, i -> 1000L));
        all.add(of(new TypeRef<List<Double>>() {}, i -> 1.0));
        all.add(of(new TypeRef<List<Optional<Long>>>() {}, i -> Optional.of(1000L)));
        all.add(of(new TypeRef<List<OptionalLong>>() {}, i -> OptionalLong.of(1000)));
        all.add(of(new TypeRef<List<Optional<LocalDate>>>() {}, i -> Optional.of(LocalDate.EPOCH)));
        all.add(of(new TypeRef<List<Optional<LocalTime>>>() {}, i -> Optional.of(LocalTime.of(1, 2, 3))));
        all.add(of(new TypeRef<List<Optional<Instant>>>() {}, i -> Optional.of(Instant.ofEpochSecond(0, 1))));
        all.add(of(new TypeRef<List<Optional<Duration>>>() {}, i -> Optional.of(Duration.ofNanos(1))));
        all.add(of(new TypeRef<List<Optional<UUID>>>() {}, i -> Optional.of(new UUID(0, 0))));
        all.add(of(new TypeRef<List<Optional<BigInteger>>>() {}, i -> Optional.of(BigInteger.valueOf(100))));
        all.add(of(new TypeRef<List<Optional<BigDecimal>>>() {}, i -> Optional.of(BigDecimal.valueOf(100, 2))));
        all.add(of(new TypeRef<List<Optional<BigDecimal>>>() {},
            i -> Optional.of(new BigDecimal(BigInteger.ONE.shiftLeft(64), 2))));
        all.add(of(new TypeRef<List<Optional<String>>>() {}, i -> Optional.of("")));
        all.add(of(new TypeRef<List<Optional<String>>>() {}, i -> Optional.of(Integer.toString(i % 10))));
        all.add(of(new TypeRef<List<Optional<String>>>() {}, i -> Optional.of("\u0416")));
        all.add(of(new TypeRef<List<Optional<byte[]>>>() {}, i -> Optional.of(new byte[0])));
        for (Object any : new Object[] {1000L, 1.5, "", new byte[1], BigInteger.ONE.shiftLeft(64), BigDecimal.TEN,
            Duration.ofNanos(1), List.of(), List.of(1000L), Map.of(), Map.of("", 1000L), new double[0],
            NumericArray.u16(new short[1]), List.of(List.of())}) {
            all.add(of(new TypeRef<List<Object>>() {}, i -> any));
        }
        all.add(resolved(new TypeRef<List<Integer>>() {}, new TypeRef<List<BigInteger>>() {}, i -> 1000));
        all.add(resolved(new TypeRef<List<Long>>() {}, new TypeRef<List<Optional<BigInteger>>>() {}, i -> 1000L));
    }

    private static void containers(List<Heavy> all) {
        all.add(of(new TypeRef<List<List<Byte>>>() {}, i -> List.of()));
        all.add(of(new TypeRef<List<List<Long>>>() {}, i -> List.of(1000L)));
        all.add(of(new TypeRef<List<LinkedList<Long>>>() {}, i -> new LinkedList<>(List.of(1000L))));
        all.add(of(new TypeRef<List<ArrayDeque<Long>>>() {}, i -> new ArrayDeque<>()));
        all.add(of(new TypeRef<List<PriorityQueue<Long>>>() {}, i -> new PriorityQueue<>()));
        all.add(of(new TypeRef<List<Optional<Set<Long>>>>() {}, i -> Optional.of(Set.of())));
        all.add(of(new TypeRef<List<Set<Long>>>() {}, i -> Set.of(1000L)));
        all.add(of(new TypeRef<List<HashSet<Long>>>() {}, i -> new HashSet<>(List.of(1000L, 2000L))));
        all.add(of(new TypeRef<List<SortedSet<Long>>>() {}, i -> new java.util.TreeSet<>(List.of(1000L))));
        all.add(of(new TypeRef<List<Map<Long, Long>>>() {}, i -> Map.of()));
        all.add(of(new TypeRef<List<Map<Long, Long>>>() {}, i -> Map.of(1000L, 1000L)));
        all.add(of(new TypeRef<List<HashMap<String, Long>>>() {}, i -> new HashMap<>(Map.of("", 1000L))));
        all.add(of(new TypeRef<List<SortedMap<Long, Long>>>() {}, i -> new java.util.TreeMap<>(Map.of(1000L, 1000L))));
        all.add(of(new TypeRef<List<ConcurrentHashMap<Long, Long>>>() {}, i -> new ConcurrentHashMap<>()));
        all.add(of(new TypeRef<List<ConcurrentHashMap<Long, Long>>>() {},
            i -> new ConcurrentHashMap<>(Map.of(1000L, 1L))));
        all.add(of(new TypeRef<List<ConcurrentNavigableMap<Long, Long>>>() {},
            i -> new java.util.concurrent.ConcurrentSkipListMap<>(Map.of(1000L, 1L))));
        all.add(of(new TypeRef<List<IdentityHashMap<Byte, Byte>>>() {}, i -> new IdentityHashMap<>()));
        all.add(of(new TypeRef<List<LinkedHashMap<Byte, List<Byte>>>>() {},
            i -> new LinkedHashMap<>(Map.of((byte) 1, List.of()))));
        all.add(of(new TypeRef<List<EnumMap<UnicodeScript, Byte>>>() {}, i -> new EnumMap<>(UnicodeScript.class)));
        all.add(of(new TypeRef<List<EnumSet<UnicodeScript>>>() {}, i -> EnumSet.noneOf(UnicodeScript.class)));
        all.add(of(new TypeRef<List<Map<UnicodeScript, Byte>>>() {}, i -> Map.of(CONSTANT, (byte) 1)));
        all.add(of(new TypeRef<List<long[]>>() {}, i -> new long[0]));
        all.add(of(new TypeRef<List<long[]>>() {}, i -> new long[1]));
        all.add(of(new TypeRef<List<String[]>>() {}, i -> new String[0]));
        all.add(of(new TypeRef<List<boolean[]>>() {}, i -> new boolean[8]));
        Map<Long, Long> map = new HashMap<>();
        for (long i = 0; i < 9; i++) {
            map.put(1000 + i, 1000 + i);
        }
        all.add(of(new TypeRef<List<Map<Long, Long>>>() {}, i -> map));
        all.add(of(new TypeRef<List<Set<Long>>>() {}, i -> map.keySet()));
        all.add(of(new TypeRef<List<SortedMap<Long, Long>>>() {}, i -> new java.util.TreeMap<>(map)));
        all.add(of(new TypeRef<List<ConcurrentHashMap<Long, Long>>>() {}, i -> new ConcurrentHashMap<>(map)));
    }

    private static void structs(List<Heavy> all) {
        all.add(of(new TypeRef<List<Flag>>() {}, i -> new Flag(true)));
        Options none = new Options(null, null, null, null, Optional.empty(), null, null, null);
        Options some = new Options(1000L, "", List.of(), new Flag(true), Optional.of(1000L), 1.0, new UUID(0, 0),
            Instant.EPOCH);
        all.add(of(new TypeRef<List<Options>>() {}, i -> none));
        all.add(of(new TypeRef<List<Options>>() {}, i -> some));
        all.add(of(new TypeRef<List<Optional<Flag>>>() {}, i -> Optional.of(new Flag(true))));
        all.add(of(new TypeRef<List<Optional<Pair>>>() {}, i -> Optional.of(new Pair(1000, Optional.of(1000L)))));
        all.add(of(new TypeRef<List<Pair>>() {}, i -> new Pair(1000, Optional.of(1000L))));
        all.add(of(new TypeRef<List<Queues>>() {},
            i -> new Queues(new ArrayDeque<>(), Set.of(), new java.util.TreeSet<>())));
        all.add(of(new TypeRef<List<Tree>>() {}, i -> new Tree(List.of())));
        all.add(of(new TypeRef<List<Tree>>() {}, i -> new Tree(List.of(new Tree(List.of())))));
        all.add(of(new TypeRef<List<Tree[]>>() {}, i -> new Tree[] {new Tree(List.of())}));
        all.add(of(new TypeRef<List<Chain>>() {}, i -> new Chain(new Chain(new Chain(null)))));
        all.add(of(new TypeRef<List<Either>>() {}, i -> new Left()));
        all.add(of(new TypeRef<List<Optional<Either>>>() {}, i -> Optional.of(new Right(Optional.of(1000L)))));
        all.add(of(new TypeRef<List<Boxed>>() {}, i -> new Boxed(new Flag(true))));
        all.add(resolved(new TypeRef<List<Before>>() {}, new TypeRef<List<After>>() {}, i -> new Before(true)));
    }
}
