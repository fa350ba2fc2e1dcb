package io.samewire.redis.command;

import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is known of a command by its name ({@code spec/redis/commands.json}): whether it only reads, whether it may be
 * sent again, where its keys are, how a cluster runs it.
 */
public final class Facts {
    private final String name;
    private final byte[] encoded;
    private final int words;
    private final boolean known;
    private final boolean readOnly;
    private final boolean repeatable;
    private final boolean changesConnection;
    private final String requestPolicy;
    private final String responsePolicy;
    private final Wait wait;
    private final Taking taking;
    private final KeyPlace[] places;
    /** Whether the only key is the first argument. */
    private final boolean keyFirst;

    private Facts(String name, boolean known, boolean readOnly, boolean repeatable, boolean changesConnection,
            String requestPolicy, String responsePolicy, Wait wait, Taking taking, KeyPlace... places) {
        String[] parts = name.split(" ");
        this.name = name;
        this.encoded = Token.encode(parts);
        this.words = parts.length;
        this.known = known;
        this.readOnly = readOnly;
        this.repeatable = repeatable;
        this.changesConnection = changesConnection;
        this.requestPolicy = requestPolicy;
        this.responsePolicy = responsePolicy;
        this.wait = wait;
        this.taking = taking;
        this.places = places;
        this.keyFirst = places.length == 1 && places[0].isOnly(words);
    }

    /** A command that the table has, without anything else that is known of it. */
    static Facts named(String name) {
        return new Facts(name, true, false, false, false, "", "", null, null);
    }

    /** A command that the table does not have: it may write, and must not be repeated. */
    static Facts unknown(String name) {
        return new Facts(name, false, false, false, false, "", "", null, null);
    }

    /** Returns a copy for a command that only reads, which may be sent again. */
    Facts reads() {
        return new Facts(name, known, true, true, changesConnection, requestPolicy, responsePolicy, wait, taking,
            places);
    }

    /** Returns a copy for a command that may be sent again. */
    Facts repeats() {
        return new Facts(name, known, readOnly, true, changesConnection, requestPolicy, responsePolicy, wait, taking,
            places);
    }

    /** Returns a copy for a command that changes its connection. */
    Facts changes() {
        return new Facts(name, known, readOnly, repeatable, true, requestPolicy, responsePolicy, wait, taking,
            places);
    }

    /** Returns a copy for a command whose keys are in these places. */
    Facts at(KeyPlace... there) {
        return new Facts(name, known, readOnly, repeatable, changesConnection, requestPolicy, responsePolicy, wait,
            taking, there);
    }

    /** Returns a copy for a command that blocks on the server. */
    Facts waits(Wait how) {
        return new Facts(name, known, readOnly, repeatable, changesConnection, requestPolicy, responsePolicy, how,
            taking, places);
    }

    /** Returns a copy for a command that takes from the server what its reply alone has then. */
    Facts takes(Taking how) {
        return new Facts(name, known, readOnly, repeatable, changesConnection, requestPolicy, responsePolicy, wait,
            how, places);
    }

    /** Returns a copy with a cluster's request and response policies. */
    Facts policy(String request, String response) {
        return new Facts(name, known, readOnly, repeatable, changesConnection, request, response, wait, taking,
            places);
    }

    /** Returns the name in capitals, with the subcommand behind a blank. */
    public String name() {
        return name;
    }

    /** Returns whether the table of commands has it. Nothing is known of one that it does not have. */
    public boolean known() {
        return known;
    }

    /** Returns whether it only reads. What is not known may write. */
    public boolean readOnly() {
        return readOnly;
    }

    /**
     * Returns whether it may be sent again although it may have run: it only looks, or does again what was done. What
     * its arguments change about that, {@link Command#repeatable} knows.
     */
    public boolean repeatable() {
        return repeatable;
    }

    /** Returns whether it changes the connection that it runs on, for later commands too, or what comes back on it. */
    public boolean changesConnection() {
        return changesConnection;
    }

    /** Returns to which nodes a cluster sends it, as in the tips of {@code COMMAND INFO}; empty by its keys. */
    public String requestPolicy() {
        return requestPolicy;
    }

    /**
     * Returns what a cluster makes of several nodes' replies, as in the tips of {@code COMMAND INFO}; empty for a list.
     */
    public String responsePolicy() {
        return responsePolicy;
    }

    /** The words of the name as bulk strings. */
    byte[] encoded() {
        return encoded;
    }

    /** The number of words of the name. */
    int words() {
        return words;
    }

    /** How it waits; null if it does not. */
    Wait waits() {
        return wait;
    }

    /** When it takes; null if it does not. */
    Taking taking() {
        return taking;
    }

    /**
     * Whether the command waits for what comes after the server has received it ({@code XREAD … $}). Sent again it
     * would skip what came in between.
     */
    boolean fromNow(List<Object> arguments) {
        if (wait == null) {
            return false;
        }
        int size = arguments.size();
        // The ID is behind the one key, or there are as many IDs behind the keys.
        List<Object> ids = keyFirst ? arguments.subList(Math.min(2, size), Math.min(3, size))
            : arguments.subList(size - Math.min(size, keys(arguments).size()), size);
        return ids.stream().anyMatch(id -> id.toString().equals("$"));
    }

    /** The keys among all words of a command. */
    List<Bytes> keys(List<Object> arguments) {
        List<Object> found = new ArrayList<>();
        for (KeyPlace place : places) {
            place.collect(arguments, found);
        }
        return found.stream().map(Facts::bytes).toList();
    }

    private static Bytes bytes(Object word) {
        return word instanceof Bytes bytes ? bytes : Bytes.of(word.toString());
    }

    /** The slot of a command's keys; -1 if it has none. */
    int slot(Object[] arguments, Command<?> command) {
        if (places.length == 0) {
            return -1;
        }
        if (keyFirst && arguments.length > 0 && arguments[0] instanceof CharSequence key) {
            return KeySlot.of(key);
        }
        int[] slots = command.keys().stream().mapToInt(KeySlot::of).distinct().toArray();
        if (slots.length > 1) {
            throw severalSlots(slots);
        }
        return slots.length == 0 ? -1 : slots[0];
    }

    private SamewireException severalSlots(int[] slots) {
        return Words.misuse(name + " has keys in several slots of the cluster: expected one, found "
            + Arrays.toString(Arrays.copyOf(slots, Math.min(slots.length, 5)))
            + "; give the keys one hash tag, like {user:1}.name, or send a command for each");
    }

    @Override
    public String toString() {
        return name;
    }
}
