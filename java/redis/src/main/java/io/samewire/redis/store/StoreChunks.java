package io.samewire.redis.store;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
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
import java.util.Optional;
import java.util.function.Function;

/** Many values of a store, written and read in chunks of bounded size ({@code spec/redis.md}, sections 7 and 8). */
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

    long delete(Iterator<? extends CharSequence> left) {
        long count = 0;
        while (left.hasNext()) {
            List<CharSequence> keys = keys(left, TOGETHER * COMMANDS);
            for (long deleted : values.executor().executeAll(parts(keys, together, Keys::del))) {
                count += deleted;
            }
        }
        return count;
    }

    private List<CharSequence> keys(Iterator<? extends CharSequence> left, int most) {
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

    long put(Iterator<? extends Map.Entry<? extends CharSequence, ? extends T>> left) {
        int each = ttl == null ? together : 1;
        long count = 0;
        int waiting = 0;
        int size = FIRST;
        List<Command<Boolean>> commands = new ArrayList<>();
        while (left.hasNext()) {
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
            waiting += taken;
            size = nextSize(size, taken, TOGETHER);
            if (each > 1) {
                commands.add(Commands.of(DONE, "MSET", part.toArray(CharSequence[]::new)));
            } else {
                for (int i = 0; i < part.size(); i += 2) {
                    SetCommand command = Strings.set(part.get(i), part.get(i + 1));
                    commands.add(ttl == null ? command : command.expiration(Expiration.px(ttl)));
                }
            }
            if (waiting >= CHUNK_BYTES || commands.size() * each >= COMMANDS * TOGETHER || !left.hasNext()) {
                values.ready();
                values.executor().executeAll(commands);
                commands.clear();
                waiting = 0;
            }
        }
        return count;
    }

    List<Optional<T>> get(Iterator<? extends CharSequence> left) {
        List<Optional<T>> found = new ArrayList<>();
        int size = TOGETHER;
        while (left.hasNext()) {
            List<CharSequence> keys = keys(left, size);
            List<Optional<byte[]>> data = data(keys);
            long taken = 0;
            for (int i = 0; i < keys.size(); i++) {
                CharSequence key = keys.get(i);
                byte[] held = data.get(i).orElse(null);
                taken += held == null ? 0 : held.length;
                found.add(held == null ? Optional.empty()
                    : Optional.ofNullable(values.decode(() -> Names.shown(key), held)));
            }
            size = nextSize(size, taken, TOGETHER * COMMANDS);
        }
        return found;
    }

    private List<Optional<byte[]>> data(List<CharSequence> keys) {
        if (together > 1) {
            try {
                List<Optional<byte[]>> all = new ArrayList<>();
                values.executor().executeAll(parts(keys, together, part -> Strings.mget(part).as(Text.BYTES)))
                    .forEach(all::addAll);
                return all;
            } catch (SamewireException error) {
                // Together the values may exceed a limit that none of them exceeds.
                if (error.code() != Code.LIMIT_SIZE && error.code() != Code.LIMIT_ITEMS) {
                    throw error;
                }
            }
        }
        return values.executor().executeAll(parts(keys, 1, part -> Strings.get(part.get(0)).as(Text.BYTES)));
    }

    /** How many values to take next if {@code size} of them took so many bytes: few if they are large. */
    private static int nextSize(int size, long taken, int most) {
        if (taken > CHUNK_BYTES) {
            return Math.max(1, size / 2);
        }
        return 2 * taken <= CHUNK_BYTES ? Math.min(2 * size, most) : size;
    }
}
