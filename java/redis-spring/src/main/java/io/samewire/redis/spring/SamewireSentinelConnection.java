package io.samewire.redis.spring;

import io.samewire.redis.client.RedisClient;
import io.samewire.redis.command.Reading;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.RedisServer;

/** Commands of a sentinel, on a client of its own. */
final class SamewireSentinelConnection implements RedisSentinelConnection {
    private static final Reading<RedisServer> SERVER = in -> {
        Properties found = new Properties();
        int count = in.beginMap();
        for (int i = 0; i < count; i++) {
            found.setProperty(in.readString(), in.readLenientString());
        }
        return RedisServer.newServerFrom(found);
    };
    private static final Reading<List<RedisServer>> SERVERS = Readings.list(SERVER);

    private final RedisClient client;
    private final Calls calls;

    SamewireSentinelConnection(RedisClient client) {
        this.client = client;
        this.calls = new Calls(client);
    }

    @Override
    public boolean isOpen() {
        return !calls.isClosed();
    }

    @Override
    public void failover(NamedNode master) {
        calls.run("SENTINEL FAILOVER", master.getName());
    }

    @Override
    public Collection<RedisServer> masters() {
        return calls.call(SERVERS, "SENTINEL MASTERS");
    }

    @Override
    public Collection<RedisServer> replicas(NamedNode master) {
        return calls.call(SERVERS, "SENTINEL REPLICAS", master.getName());
    }

    @Override
    public void remove(NamedNode master) {
        calls.run("SENTINEL REMOVE", master.getName());
    }

    @Override
    public void monitor(RedisServer master) {
        calls.run("SENTINEL MONITOR", master.getName(), master.getHost(), master.getPort(), master.getQuorum());
    }

    @Override
    public void close() {
        calls.close();
        client.close();
    }
}
