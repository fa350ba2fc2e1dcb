package io.samewire.redis.store;

import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Expiration;
import io.samewire.redis.command.Keys;
import io.samewire.redis.command.Reading;
import io.samewire.redis.command.SetCommand;
import io.samewire.redis.command.Strings;
import io.samewire.redis.command.Text;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/**
 * The commands for many values of a store, in chunks of bounded size ({@code spec/redis.md}, sections 7 and 8): those
 * of a chunk go out together, and the next chunk is made when their replies are there.
 */
final class StoreChunks<T> {
    /** Values of one MSET or MGET, at most. More make no command cheaper. */
    private static final int TOGETHER = 64;
    /** Commands that go out before their replies are read. */
    private static final int COMMANDS = 64;
    /** Bytes of values after which no more are added to the commands that go out together. */
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int FIRST = 8;
    private static final Reading<Boolean> DONE = in -> {
        in.skip();
        return true;
    };

    private final Values<T> values;
    private final Names names;
    private final Long ttl;
    private final int together;

    StoreChunks(Values<T> values, Names names, Long ttl) {
        this.values = values;
        this.names = names;
        this.ttl = ttl;
        this.together = values.executor().mixesSlots() ? TOGETHER : 1;
    }

    /** Returns the commands that delete values, each of which replies how many there were. */
    Iterator<List<Command<Long>>> deletions(Iterator<? extends CharSequence> left) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return left.hasNext();
            }

            @Override
            public List<Command<Long>> next() {
                return parts(keys(left, TOGETHER * COMMANDS), together, Keys::del);
            }
        };
    }

    private List<CharSequence> keys(Iterator<? extends CharSequence> left, int most) {
        if (!left.hasNext()) {
            throw new NoSuchElementException("there are no more names");
        }
        List<CharSequence> keys = new ArrayList<>();
        while (keys.size() < most && left.hasNext()) {
            keys.add(names.key(left.next()));
        }
        return keys;
    }

    private static <R> List<Command<R>> parts(List<CharSequence> keys, int size,
            Function<List<CharSequence>, Command<R>> command) {
        List<Command<R>> commands = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += size) {
            commands.add(command.apply(keys.subList(from, Math.min(from + size, keys.size()))));
        }
        return commands;
    }

    /** The commands that write values. */
    final class Writes implements Iterator<List<Command<Boolean>>> {
        private final Iterator<? extends Map.Entry<? extends CharSequence, ? extends T>> left;
        private int size = FIRST;
        private long count;

        Writes(Iterator<? extends Map.Entry<? extends CharSequence, ? extends T>> left) {
            this.left = left;
        }

        /** Returns how many values were taken. */
        long count() {
            return count;
        }

        @Override
        public boolean hasNext() {
            return left.hasNext();
        }

        @Override
        public List<Command<Boolean>> next() {
            if (!left.hasNext()) {
                throw new NoSuchElementException("there are no more values");
            }
            int each = ttl == null ? together : 1;
            int waiting = 0;
            List<Command<Boolean>> commands = new ArrayList<>();
            while (left.hasNext() && waiting < CHUNK_BYTES && commands.size() * each < COMMANDS * TOGETHER) {
                waiting += add(commands, each > 1);
            }
            return commands;
        }

        /** Adds as many values as one command takes, and returns their bytes. */
        private int add(List<Command<Boolean>> commands, boolean asOne) {
            List<CharSequence> part = new ArrayList<>();
            int taken = 0;
            while (part.size() < 2 * size && left.hasNext()) {
                Map.Entry<? extends CharSequence, ? extends T> item = left.next();
                Bytes data = values.encode(item.getValue());
                part.add(names.key(item.getKey()));
                part.add(data);
                taken += data.length();
            }
            count += part.size() / 2;
            size = nextSize(size, taken, TOGETHER);
            if (asOne) {
                commands.add(Commands.of(DONE, "MSET", part.toArray(CharSequence[]::new)));
                return taken;
            }
            for (int i = 0; i < part.size(); i += 2) {
                SetCommand command = Strings.set(part.get(i), part.get(i + 1));
                commands.add(ttl == null ? command : command.expiration(Expiration.px(ttl)));
            }
            return taken;
        }
    }

    /** The keys that are read together, and the commands that do. */
    final class Reads implements Iterator<List<CharSequence>> {
        private final Iterator<? extends CharSequence> left;
        private int size = TOGETHER;

        Reads(Iterator<? extends CharSequence> left) {
            this.left = left;
        }

        @Override
        public boolean hasNext() {
            return left.hasNext();
        }

        @Override
        public List<CharSequence> next() {
            return keys(left, size);
        }

        /** Takes note of the bytes of the values that were read last. */
        void took(List<Optional<byte[]>> data) {
            size = nextSize(size, data.stream().mapToLong(held -> held.map(bytes -> bytes.length).orElse(0)).sum(),
                TOGETHER * COMMANDS);
        }

        /** Returns the commands that read values together; none if each is to be read by itself. */
        List<Command<List<Optional<byte[]>>>> together(List<CharSequence> keys) {
            return together == 1 ? List.of() : parts(keys, together, part -> Strings.mget(part).as(Text.BYTES));
        }

        /** Returns the commands that read each value by itself. */
        List<Command<Optional<byte[]>>> single(List<CharSequence> keys) {
            return parts(keys, 1, part -> Strings.get(part.get(0)).as(Text.BYTES));
        }
    }

    /** How many values to take next if {@code size} of them took so many bytes: few if they are large. */
    private static int nextSize(int size, long taken, int most) {
        if (taken > CHUNK_BYTES) {
            return Math.max(1, size / 2);
        }
        return 2 * taken <= CHUNK_BYTES ? Math.min(2 * size, most) : size;
    }
}
