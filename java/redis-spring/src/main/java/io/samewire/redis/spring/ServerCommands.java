package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;

import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.command.Reading;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.connection.convert.Converters;
import org.springframework.data.redis.connection.convert.StringToRedisClientInfoConverter;
import org.springframework.data.redis.core.types.RedisClientInfo;

/** Commands of the server. */
class ServerCommands implements RedisServerCommands {
    private static final long MIGRATE_MILLIS = Long.MAX_VALUE;
    private static final Reading<Properties> INFO = in -> Converters.toProperties(in.readLenientString());
    private static final Reading<Properties> SETTINGS = in -> {
        Properties found = new Properties();
        int count = in.beginMap();
        for (int i = 0; i < count; i++) {
            found.setProperty(in.readString(), in.readLenientString());
        }
        return found;
    };

    private final Calls calls;

    ServerCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public void bgReWriteAof() {
        calls.run("BGREWRITEAOF");
    }

    @Override
    public void bgSave() {
        calls.run("BGSAVE");
    }

    @Override
    public Long lastSave() {
        return calls.call(Readings.LONG, "LASTSAVE");
    }

    @Override
    public void save() {
        calls.run("SAVE");
    }

    @Override
    public Long dbSize() {
        return calls.call(Readings.LONG, "DBSIZE");
    }

    @Override
    public void flushDb() {
        calls.run("FLUSHDB");
    }

    @Override
    public void flushDb(FlushOption option) {
        calls.run("FLUSHDB", option);
    }

    @Override
    public void flushAll() {
        calls.run("FLUSHALL");
    }

    @Override
    public void flushAll(FlushOption option) {
        calls.run("FLUSHALL", option);
    }

    @Override
    public Properties info() {
        return calls.call(INFO, "INFO");
    }

    @Override
    public Properties info(String section) {
        return calls.call(INFO, "INFO", section);
    }

    @Override
    public void shutdown() {
        shutdown(null);
    }

    @Override
    public void shutdown(ShutdownOption option) {
        try {
            calls.run("SHUTDOWN", option == null ? List.of() : option);
        } catch (RedisConnectionFailureException ended) {
            // A server that does it replies nothing.
            if (!(ended.getCause() instanceof ConnectionException lost && lost.mayHaveRun())) {
                throw ended;
            }
        }
    }

    @Override
    public Properties getConfig(String pattern) {
        return calls.call(SETTINGS, "CONFIG GET", pattern);
    }

    @Override
    public void setConfig(String name, String value) {
        calls.run("CONFIG SET", name, value);
    }

    @Override
    public void resetConfigStats() {
        calls.run("CONFIG RESETSTAT");
    }

    @Override
    public void rewriteConfig() {
        calls.run("CONFIG REWRITE");
    }

    @Override
    public Long time(TimeUnit unit) {
        return calls.call(in -> Readings.array(in, 2, now -> {
            long seconds = now.readLong();
            return unit.convert(seconds * 1_000_000 + now.readLong(), TimeUnit.MICROSECONDS);
        }), "TIME");
    }

    @Override
    public void killClient(String host, int port) {
        calls.run("CLIENT KILL", host + ":" + port);
    }

    /** Connections are shared, and have one name. */
    @Override
    public void setClientName(byte[] name) {
        throw new UnsupportedOperationException("CLIENT SETNAME: connections are shared, and have one name; give it by"
            + " spring.data.redis.client-name or RedisOptions.withClientName");
    }

    @Override
    public String getClientName() {
        return calls.call(Readings.STRING, "CLIENT GETNAME");
    }

    @Override
    public List<RedisClientInfo> getClientList() {
        return calls.call(in -> StringToRedisClientInfoConverter.INSTANCE.convert(
            in.readLenientString().strip().split("\\r?\\n")), "CLIENT LIST");
    }

    @Override
    public void replicaOf(String host, int port) {
        calls.run("REPLICAOF", host, port);
    }

    @Override
    public void replicaOfNoOne() {
        calls.run("REPLICAOF", "NO", "ONE");
    }

    @Override
    public void migrate(byte[] key, RedisNode target, int database, MigrateOption option) {
        migrate(key, target, database, option, MIGRATE_MILLIS);
    }

    @Override
    public void migrate(byte[] key, RedisNode target, int database, MigrateOption option, long millis) {
        calls.run("MIGRATE", target.getHost(), target.getPort(), key, database, Math.min(millis, Integer.MAX_VALUE),
            when(option != null, option == null ? "" : option));
    }
}
