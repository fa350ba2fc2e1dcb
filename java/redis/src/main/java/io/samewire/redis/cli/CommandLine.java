package io.samewire.redis.cli;

import io.samewire.redis.command.Bytes;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of a program's arguments. The JVM decodes them by the locale's charset, and puts U+FFFD for what that
 * lacks: for every byte beyond ASCII in the locale C, which is a container's default.
 */
final class CommandLine {
    static final String ADVICE = "set a locale of UTF-8, like LC_ALL=C.UTF-8";
    private static final char LOST = '\ufffd';

    private CommandLine() { }

    /**
     * Returns the bytes of the arguments, from the system where it tells them.
     *
     * @throws Usage if an argument could not be decoded, and its bytes are not known
     */
    static List<Bytes> exact(String[] given) throws Usage {
        byte[] all;
        try {
            all = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        } catch (IOException notLinux) {
            all = new byte[0];
        }
        return exact(given, all, charset());
    }

    /** Finds the arguments in {@code all}: every word of the process's command line, each ended by a zero. */
    static List<Bytes> exact(String[] given, byte[] all, Charset charset) throws Usage {
        List<byte[]> words = split(all);
        int before = words.size() - given.length;
        boolean same = before > 0;
        for (int i = 0; same && i < given.length; i++) {
            same = isDecoded(words.get(before + i), given[i], charset);
        }
        List<Bytes> exact = new ArrayList<>();
        for (int i = 0; i < given.length; i++) {
            if (same) {
                exact.add(Bytes.wrap(words.get(before + i)));
            } else if (given[i].indexOf(LOST) >= 0) {
                throw new Usage("argument " + (i + 1) + " cannot be decoded as " + charset + ", the locale's charset: "
                    + ADVICE + ", or write the command in a script, as the help says");
            } else {
                exact.add(Bytes.of(given[i]));
            }
        }
        return exact;
    }

    /** Returns the arguments as texts; malformed parts become U+FFFD. */
    static List<String> texts(List<Bytes> given) {
        return given.stream().map(one -> new String(one.toByteArray(), StandardCharsets.UTF_8)).toList();
    }

    /**
     * Checks options, which are the first arguments.
     *
     * @throws Usage if one is not valid UTF-8
     */
    static void check(List<String> options, List<Bytes> given) throws Usage {
        for (int i = 0; i < options.size(); i++) {
            if (!Bytes.of(options.get(i)).equals(given.get(i))) {
                throw new Usage("argument " + (i + 1) + ", an option, is not valid UTF-8: " + options.get(i));
            }
        }
    }

    private static List<byte[]> split(byte[] all) {
        List<byte[]> words = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < all.length; at++) {
            if (all[at] == 0) {
                words.add(Arrays.copyOfRange(all, from, at));
                from = at + 1;
            }
        }
        return words;
    }

    /** Whether an argument is what the JVM, or an older one, makes of these bytes. */
    private static boolean isDecoded(byte[] bytes, String given, Charset charset) {
        return given.equals(new String(bytes, charset)) || given.equals(new String(bytes, StandardCharsets.UTF_8))
            || given.equals(new String(bytes, StandardCharsets.US_ASCII).replace(LOST, '?'));
    }

    private static Charset charset() {
        try {
            return Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
            return StandardCharsets.UTF_8;
        }
    }
}
