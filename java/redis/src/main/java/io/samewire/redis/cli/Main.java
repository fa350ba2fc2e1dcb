package io.samewire.redis.cli;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.command.Bytes;
import io.samewire.redis.command.Commands;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** {@code samewire-redis}: sends commands to a server and shows the replies; {@code --help} says how. */
public final class Main {
    /** Everything ran. */
    static final int DONE = 0;
    /** The server refused a command. */
    static final int REFUSED = 1;
    /** The command line or a script is wrong. */
    static final int WRONG = 2;
    /** The server cannot be reached. */
    static final int LOST = 3;

    private final Arguments arguments;
    private final RedisClient client;
    private final PackValues values;
    private final PrintStream out;
    private final PrintStream err;

    private Main(Arguments arguments, RedisClient client, PrintStream out, PrintStream err) {
        this.arguments = arguments;
        this.client = client;
        this.values = arguments.raw() ? null : new PackValues(client, arguments.schemas());
        this.out = out;
        this.err = err;
    }

    /** Runs the program and exits with its code. */
    public static void main(String[] given) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(given, out, err));
    }

    private static int run(String[] given, PrintStream out, PrintStream err) {
        try {
            return run(CommandLine.exact(given), System.getenv("REDIS_URL"), System.in, out, err);
        } catch (Usage wrong) {
            return wrong(wrong, err);
        }
    }

    private static int wrong(Usage wrong, PrintStream err) {
        err.println("samewire-redis: " + wrong.getMessage() + "; --help says what there is");
        return WRONG;
    }

    /** Runs the program and returns its exit code. */
    static int run(List<Bytes> given, String environment, InputStream in, PrintStream out, PrintStream err) {
        try {
            List<String> texts = CommandLine.texts(given);
            Arguments arguments = Arguments.of(texts, environment);
            List<Bytes> words = given.subList(given.size() - arguments.words().size(), given.size());
            CommandLine.check(texts.subList(0, texts.size() - words.size()), given);
            if (arguments.help()) {
                out.print(Arguments.HELP);
                return DONE;
            }
            try (RedisClient client = RedisClient.connect(arguments.uri())) {
                return new Main(arguments, client, out, err).run(words, in);
            }
        } catch (Usage wrong) {
            return wrong(wrong, err);
        } catch (IOException unreadable) {
            err.println("samewire-redis: cannot read the script: " + reason(unreadable));
            return WRONG;
        } catch (ConnectionException lost) {
            err.println("samewire-redis: " + lost.getMessage());
            return LOST;
        } catch (RedisException refused) {
            err.println("samewire-redis: " + refused.text());
            return REFUSED;
        } catch (SamewireException wrong) {
            err.println("samewire-redis: " + wrong.getMessage());
            return wrong.code() == Code.MISUSE ? WRONG : LOST;
        }
    }

    /** The file's name and why, where the system's error has only a class for that. */
    private static String reason(IOException unreadable) {
        if (unreadable instanceof NoSuchFileException missing) {
            return missing.getFile() + ": no such file";
        } else if (unreadable instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        return unreadable.getMessage() == null ? unreadable.toString() : unreadable.getMessage();
    }

    private int run(List<Bytes> words, InputStream in) throws Usage, IOException {
        if (!words.isEmpty()) {
            return execute(words);
        }
        InputStream from = arguments.script() == null ? in : Files.newInputStream(arguments.script());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            return script(lines);
        }
    }

    private int script(BufferedReader lines) throws Usage, IOException {
        int result = DONE;
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            List<Bytes> words;
            try {
                words = Line.words(line);
            } catch (Usage wrong) {
                throw new Usage("line " + number + ": " + wrong.getMessage());
            }
            if (words.isEmpty()) {
                continue;
            }
            int code = execute(words);
            result = Math.max(result, code);
            if (code != DONE && !arguments.goOn()) {
                return code;
            }
        }
        return result;
    }

    private int execute(List<Bytes> words) {
        try {
            Reply reply = client.execute(Commands.of(words.get(0).text(),
                words.subList(1, words.size()).toArray(CharSequence[]::new)));
            out.println(arguments.json() ? Json.of(reply, values) : new Readable(values).show(reply));
            return DONE;
        } catch (RedisException refused) {
            err.println("(error) " + refused.text());
            return REFUSED;
        } catch (ConnectionException lost) {
            throw lost;
        } catch (SamewireException wrong) {
            // A command that cannot run on connections that callers share, or a word that cannot be sent.
            err.println("(error) " + wrong.getMessage());
            return WRONG;
        }
    }
}
