package io.samewire.redis.command;

import java.util.List;
import java.util.Set;

/**
 * When the reply of a command alone has what the command took from the server ({@code spec/redis/taking.txt}).
 *
 * @param word the option with which it takes, in capitals; null if it always does
 * @param from where the option may stand first; the command is word 0. It stands before STREAMS
 * @param unless options with which it takes nothing, or nothing that is not known
 */
record Taking(String word, int from, Set<String> unless) {
    static Taking always() {
        return new Taking(null, 0, Set.of());
    }

    static Taking with(String word, int from, String... unless) {
        return new Taking(word, from, Set.of(unless));
    }

    /** Whether a command of these words takes. */
    boolean by(List<Object> words) {
        boolean found = word == null;
        for (int at = from; word != null && at < words.size(); at++) {
            String given = words.get(at).toString().toUpperCase(java.util.Locale.ROOT);
            if (unless.contains(given)) {
                return false;
            } else if (given.equals("STREAMS")) {
                break;
            }
            found |= given.equals(word);
        }
        return found;
    }
}
