package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.RedisException;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.RequestWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a client says first on a new connection, and how it judges the replies. Without I/O: {@link #write} writes what
 * is to be sent, all in one go, and {@link #read} takes the replies one by one. If the server does not know {@code
 * HELLO}, or not RESP3, {@link #isAgain} asks for another round, with RESP2.
 */
final class Handshake {
    private static final byte[] OK = {'O', 'K'};

    /** A command, and what is wrong if its reply is not OK; null if any reply will do. */
    private record Step(String refusal, String... words) {}

    private final RedisOptions options;
    private final List<String[]> setup;
    private final String user;
    private final String password;
    private final List<Step> steps = new ArrayList<>();
    private int at;
    private int protocol;
    private boolean again;
    private RuntimeException refused;

    /** Asks for credentials. setup: commands that follow the handshake, each of which must be replied with OK. */
    Handshake(RedisOptions options, List<String[]> setup) {
        this.options = options;
        this.setup = setup;
        Credentials given = options.credentials == null ? null : options.credentials.get();
        if (given == null && options.credentials != null) {
            throw RedisOptions.misuse("the source of credentials gave null: expected a user and a password");
        }
        this.user = given == null ? options.user : given.user();
        this.password = given == null ? options.password : given.password();
        begin(options.protocol);
    }

    private void begin(int version) {
        protocol = version;
        steps.clear();
        at = 0;
        if (version == 3) {
            steps.add(password == null ? new Step("", "HELLO", "3")
                : new Step("", "HELLO", "3", "AUTH", user == null ? "default" : user, password));
        } else if (password != null) {
            steps.add(user == null ? new Step("the credentials", "AUTH", password)
                : new Step("the credentials", "AUTH", user, password));
        }
        if (options.clientName != null) {
            steps.add(new Step("the client's name", "CLIENT", "SETNAME", options.clientName));
        }
        // Servers before 7.2 do not know it.
        steps.add(new Step(null, "CLIENT", "SETINFO", "LIB-NAME", "samewire-jvm"));
        if (options.database != 0) {
            steps.add(new Step("the database", "SELECT", String.valueOf(options.database)));
        }
        if (options.readsReplica) {
            steps.add(new Step("READONLY", "READONLY"));
        }
        setup.forEach(words -> steps.add(new Step(words[0], words)));
    }

    /** Writes the commands of this round. */
    void write(RequestWriter out) {
        again = false;
        for (Step step : steps) {
            out.begin(step.words.length);
            for (String word : step.words) {
                out.word(word);
            }
        }
    }

    /** Takes one reply. Returns whether others of this round are to come. */
    boolean read(ReplyReader reply) {
        Step step = steps.get(at++);
        try {
            if (protocol == 3 && at == 1) {
                hello(reply);
            } else if (step.refusal != null && !reply.readMatches(OK)) {
                throw new SamewireException(Code.MALFORMED, -1, null, "expected OK to " + step.refusal);
            }
        } catch (RedisException error) {
            refuse(step, error);
        } catch (SamewireException odd) {
            refused = refused == null ? odd : refused;
        }
        return at < steps.size();
    }

    private void refuse(Step step, RedisException error) {
        if (protocol == 3 && at == 1 && isUnknown(error)) {
            again = true;
        } else if (step.refusal != null && refused == null) {
            refused = error.to(step.words[0]);
        }
    }

    /** Ends a round: prepares the next one, throws what the server refused, or returns. */
    boolean isAgain() {
        if (again) {
            refused = null;
            begin(2);
            return true;
        } else if (refused != null) {
            throw refused;
        }
        return false;
    }

    /** Returns what the server has refused so far, or what cannot be read; null if nothing. */
    RuntimeException refusal() {
        return refused;
    }

    /** Returns the protocol that both speak. */
    int protocol() {
        return protocol;
    }

    private static boolean isUnknown(RedisException error) {
        String text = error.text().toLowerCase(Locale.ROOT);
        return text.contains("unknown command") || text.contains("noproto") || text.contains("unsupported protocol");
    }

    /** Looks for the protocol in the server's greeting: a map, or a flat array from some proxies. */
    private static void hello(ReplyReader reply) {
        long version = 0;
        for (int left = reply.beginMap(); left > 0; left--) {
            if ("proto".equals(reply.readString())) {
                version = reply.readLong();
            } else {
                reply.skip();
            }
        }
        if (version != 3) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null, "the server greets with protocol " + version
                + " where 3 was asked for: set the protocol to 2");
        }
    }
}
