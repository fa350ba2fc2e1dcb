package io.samewire.redis.command;

import java.util.List;

/** Where the keys of a command are. Positions count the words of the whole command from 0. */
sealed interface KeyPlace {
    /** Adds the keys. What is cut off is not there: the server refuses it. */
    void collect(List<Object> words, List<Object> found);

    /** Whether this is one key, at a position. */
    default boolean isOnly(int position) {
        return false;
    }

    /** One key. */
    static KeyPlace key(int position) {
        return new Range(new Begin(position, null), 0, 1, 0);
    }

    /**
     * The keys from a position on to the last word, or to one before it: {@code last} is -1, -2, or counts from there.
     */
    static KeyPlace keys(int position, int last, int step) {
        return new Range(new Begin(position, null), last, step, 0);
    }

    /** As {@link #keys}, behind a word; with {@code limit} 2 only half of them are keys. */
    static KeyPlace after(String word, int from, int last, int step, int limit) {
        return new Range(new Begin(from, word), last, step, limit);
    }

    /** As many keys as the word at {@code number} says; the first is at {@code first}, both counted from a position. */
    static KeyPlace counted(int position, int number, int first, int step) {
        return new Counted(new Begin(position, null), number, first, step);
    }

    /**
     * A position, or the one behind a word.
     *
     * @param at the position, or where the search for the word starts: backwards from the end if it is negative
     * @param word null for a position
     */
    record Begin(int at, String word) {
        /** The position, -1 if the word is not there. */
        int in(List<Object> words) {
            if (word == null) {
                return at;
            }
            if (at >= 0) {
                for (int i = at; i < words.size(); i++) {
                    if (word.equalsIgnoreCase(words.get(i).toString())) {
                        return i + 1;
                    }
                }
            } else {
                for (int i = words.size() + at; i > 0; i--) {
                    if (word.equalsIgnoreCase(words.get(i).toString())) {
                        return i + 1;
                    }
                }
            }
            return -1;
        }
    }

    /** Keys at equal distances. */
    record Range(Begin begin, int last, int step, int limit) implements KeyPlace {
        @Override
        public void collect(List<Object> words, List<Object> found) {
            int start = begin.in(words);
            if (start < 0) {
                return;
            }
            int end = last >= 0 ? start + last + 1 : words.size() + last + 1;
            if (last < 0 && limit > 1) {
                end = start + (end - start) / limit;
            }
            for (int i = start; i < Math.min(end, words.size()); i += step) {
                found.add(words.get(i));
            }
        }

        @Override
        public boolean isOnly(int position) {
            return begin.word() == null && begin.at() == position && last == 0;
        }
    }

    /** As many keys as a word says. */
    record Counted(Begin begin, int number, int first, int step) implements KeyPlace {
        @Override
        public void collect(List<Object> words, List<Object> found) {
            int start = begin.in(words);
            if (start < 0 || start + number >= words.size()) {
                return;
            }
            long count = Wait.number(words.get(start + number));
            for (int i = start + first; count > 0 && i < words.size(); i += step, count--) {
                found.add(words.get(i));
            }
        }
    }

    /** The destination of {@code SORT}: the key behind its last STORE. Patterns may be called STORE, too. */
    enum SortDestination implements KeyPlace {
        SORT_DESTINATION;

        @Override
        public void collect(List<Object> words, List<Object> found) {
            Object destination = null;
            int i = 2;
            while (i < words.size()) {
                switch (words.get(i).toString().toUpperCase(java.util.Locale.ROOT)) {
                    case "LIMIT" -> i += 3;
                    case "BY", "GET" -> i += 2;
                    case "STORE" -> {
                        destination = i + 1 < words.size() ? words.get(i + 1) : destination;
                        i += 2;
                    }
                    default -> i++;
                }
            }
            if (destination != null) {
                found.add(destination);
            }
        }
    }

    /** The key of {@code MIGRATE}, or those behind KEYS if it is empty. */
    enum MigratedKeys implements KeyPlace {
        MIGRATED_KEYS;

        @Override
        public void collect(List<Object> words, List<Object> found) {
            if (words.size() < 4) {
                return;
            }
            if (!words.get(3).toString().isEmpty()) {
                found.add(words.get(3));
                return;
            }
            int start = new Begin(-2, "KEYS").in(words);
            if (start > 0) {
                found.addAll(words.subList(start, words.size()));
            }
        }
    }

    /** The keys of {@code STRALGO LCS KEYS a b}. */
    enum SubsequenceKeys implements KeyPlace {
        SUBSEQUENCE_KEYS;

        @Override
        public void collect(List<Object> words, List<Object> found) {
            if (words.size() > 4 && "KEYS".equalsIgnoreCase(words.get(2).toString())) {
                found.addAll(words.subList(3, 5));
            }
        }
    }
}
