package io.samewire.redis.cli;

import io.samewire.redis.store.TypedValues;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a command line asks for.
 *
 * @param uri the server
 * @param json whether replies are shown as JSON
 * @param raw whether values of pack are shown as the bytes that they are
 * @param schemas what the keys of schemas begin with
 * @param script a file of commands; null for none
 * @param goOn whether a script goes on after an error
 * @param words the command; empty for a script
 * @param help whether the help is asked for
 */
record Arguments(String uri, boolean json, boolean raw, String schemas, Path script, boolean goOn, List<String> words,
        boolean help) {
    static final String HELP = """
        usage: samewire-redis [OPTION]... [COMMAND [ARGUMENT]...]

        Sends a command to a Redis or Valkey server and shows its reply. Without a command it runs a script from the
        standard input: one command a line, words in "double" or 'single' quotes where they hold blanks; in double
        quotes \\n \\r \\t \\" \\\\ and \\xFF stand for what they do in redis-cli. Lines that begin with # are comments.

        Values that Samewire wrote (client.store and its like, in any language) are shown by the schema that the
        server keeps for them.

          -u, --uri URI        the server: redis://USER:PASSWORD@HOST:PORT/DB, rediss:// with TLS, unix:///PATH?db=1;
                               by default the environment's REDIS_URL, else redis://127.0.0.1:6379
          -h HOST, -p PORT, -n DATABASE, --user NAME, -a PASSWORD, --tls
                               the same in parts, as redis-cli takes them
          -f, --file FILE      run the script in FILE
              --go-on          go on with a script after an error
              --json           each reply as one line of JSON; bytes that are no UTF-8 as {"base64": ...}
              --raw            show values of pack as the bytes that they are
              --schemas PREFIX what the keys of schemas begin with, by default samewire:schema:
              --help           this text

        Exit codes: 0 all commands ran; 1 the server refused one; 2 this command line or a script's line is wrong;
        3 the server cannot be reached, or the connection was lost.

        examples:
          samewire-redis GET greeting
          samewire-redis -u redis://:secret@db.example:6379/1 --json HGETALL user:7
          printf 'SET a 1\\nINCR a\\n' | samewire-redis
        """;

    /** Reads a command line; options stand before the command. */
    static Arguments of(List<String> given, String environment) throws Usage {
        String uri = null;
        ServerParts parts = new ServerParts();
        String schemas = TypedValues.SCHEMAS;
        Path script = null;
        boolean json = false;
        boolean raw = false;
        boolean goOn = false;
        int at = 0;
        for (; at < given.size() && given.get(at).startsWith("-"); at++) {
            switch (given.get(at)) {
                case "-u", "--uri" -> uri = value(given, ++at);
                case "-f", "--file" -> script = path(value(given, ++at));
                case "--schemas" -> schemas = value(given, ++at);
                case "--json" -> json = true;
                case "--raw" -> raw = true;
                case "--go-on" -> goOn = true;
                case "-h", "-p", "-n", "--user", "-a" -> parts.set(given.get(at), value(given, ++at));
                case "--tls" -> parts.useTls();
                case "--help" -> {
                    return new Arguments(uri, json, raw, schemas, script, goOn, List.of(), true);
                }
                default -> throw new Usage("there is no option " + given.get(at));
            }
        }
        List<String> words = given.subList(at, given.size());
        if (script != null && !words.isEmpty()) {
            throw new Usage("expected a command or a script, found both");
        }
        if (!words.isEmpty() && words.get(0).contains("://")) {
            throw new Usage("expected a command, found an address: it goes behind -u");
        } else if (uri != null && parts.isGiven()) {
            throw new Usage("expected --uri or its parts, found both");
        } else if (uri == null) {
            uri = parts.isGiven() || environment == null ? parts.uri() : environment;
        }
        if (uri.indexOf('\ufffd') >= 0) {
            throw new Usage("the server's address cannot be decoded: write it percent-encoded, or "
                + CommandLine.ADVICE);
        }
        return new Arguments(uri, json, raw, schemas, script, goOn, words, false);
    }

    private static Path path(String name) throws Usage {
        try {
            return Path.of(name);
        } catch (InvalidPathException unmapped) {
            throw new Usage("the locale's charset lacks a character of the file's name " + name + ": "
                + CommandLine.ADVICE);
        }
    }

    private static String value(List<String> given, int at) throws Usage {
        if (at == given.size()) {
            throw new Usage(given.get(at - 1) + " needs a value");
        }
        return given.get(at);
    }
}
