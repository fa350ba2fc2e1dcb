package io.samewire.redis.spring;

import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.List;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/** Commands of scripts. */
final class ScriptingCommands implements RedisScriptingCommands {
    private final Calls calls;

    ScriptingCommands(Calls calls) {
        this.calls = calls;
    }

    /** In pipelines its OK is a reply, as with Spring's other clients. */
    @Override
    public void scriptFlush() {
        calls.call(Readings.STRING, "SCRIPT FLUSH");
    }

    @Override
    public void scriptKill() {
        calls.run("SCRIPT KILL");
    }

    @Override
    public String scriptLoad(byte[] script) {
        return calls.call(Readings.STRING, "SCRIPT LOAD", script);
    }

    @Override
    public List<Boolean> scriptExists(String... digests) {
        return calls.call(Readings.YESES, "SCRIPT EXISTS", (Object) digests);
    }

    @Override
    public <T> T eval(byte[] script, ReturnType type, int keys, byte[]... keysAndArguments) {
        return calls.call(reading(type), "EVAL", script, keys, List.of((Object[]) keysAndArguments));
    }

    @Override
    public <T> T evalSha(String digest, ReturnType type, int keys, byte[]... keysAndArguments) {
        return calls.call(reading(type), "EVALSHA", digest, keys, List.of((Object[]) keysAndArguments));
    }

    @Override
    public <T> T evalSha(byte[] digest, ReturnType type, int keys, byte[]... keysAndArguments) {
        return calls.call(reading(type), "EVALSHA", digest, keys, List.of((Object[]) keysAndArguments));
    }

    /** The caller says what the script returns, and Java that it is right. */
    @SuppressWarnings("unchecked")
    private static <T> Reading<T> reading(ReturnType type) {
        return (Reading<T>) switch (type) {
            case BOOLEAN -> (Reading<Boolean>) ScriptingCommands::yes;
            case INTEGER -> Readings.LONG;
            case STATUS -> Readings.STRING;
            case VALUE -> Readings.BYTES;
            case MULTI -> Readings.ANY;
        };
    }

    /** Lua's false is a null, its true a 1; a status or text says yes. */
    private static Boolean yes(ReplyReader in) {
        if (Readings.isNull(in)) {
            return false;
        }
        boolean number = in.type() == ReplyType.INTEGER || in.type() == ReplyType.BOOLEAN;
        if (number) {
            return in.readLong() == 1;
        }
        Readings.failure(in);
        in.skip();
        return true;
    }
}
