package io.samewire.redis.client;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.command.Command;
import io.samewire.redis.command.Commands;
import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.ReplyReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The sentinels that watch services. They are asked for a service's master each time that a connection to it is made,
 * and the server for its role. Thread-safe. The clients that it gives are closed by themselves.
 *
 * <pre>{@code
 * try (RedisSentinel sentinels = RedisSentinel.connect("redis://one:26379", "redis://two:26379");
 *         RedisClient orders = sentinels.master("orders")) {
 *     orders.execute(Strings.set("greeting", "hello"));
 * }
 * }</pre>
 */
public final class RedisSentinel implements AutoCloseable {
    private static final Reading<List<Map<String, String>>> STATES =
        Reading.list(Reading.map(ReplyReader::readString, ReplyReader::readString));

    /** The one that knew a master last comes first. */
    private final CopyOnWriteArrayList<RedisClient> sentinels = new CopyOnWriteArrayList<>();

    private RedisSentinel(List<RedisOptions> addresses) {
        // The attempt after a failed one is at the next sentinel.
        addresses.forEach(one -> sentinels.add(RedisClient.create(one.withRetry(Retry.NONE)
            .withBreaker(null))));
    }

    /**
     * Returns the sentinels at some addresses, given as for {@link RedisOptions#of(String)}. They are asked when they
     * are first needed.
     *
     * @throws SamewireException {@code misuse} if a URI is wrong, or none is given
     */
    public static RedisSentinel connect(String... uris) {
        return connect(Arrays.stream(uris).map(RedisOptions::of).toList());
    }

    /**
     * Returns the sentinels at some addresses.
     *
     * @throws SamewireException {@code misuse} if none is given
     */
    public static RedisSentinel connect(List<RedisOptions> sentinels) {
        if (sentinels.isEmpty()) {
            throw RedisOptions.misuse("expected at least one sentinel");
        }
        return new RedisSentinel(sentinels);
    }

    /** Returns a client of a service's master, whoever that is, which connects when it is first used. */
    public RedisClient master(String service) {
        return master(service, RedisOptions.of("redis://"));
    }

    /** Returns a client of a service's master, whoever that is; the options' address does not matter. */
    public RedisClient master(String service, RedisOptions options) {
        return RedisClient.create(options, new MasterLocator(this, service));
    }

    /** Returns a client of a service's replicas in turn, or of its master if none is up. */
    public RedisClient replicas(String service) {
        return replicas(service, RedisOptions.of("redis://"));
    }

    /** Returns a client of a service's replicas in turn, or of its master if none is up. */
    public RedisClient replicas(String service, RedisOptions options) {
        return RedisClient.create(options, new ReplicaLocator(this, service));
    }

    /**
     * Returns where the master of a service is.
     *
     * @throws ConnectionException if no sentinel knows one that is up
     */
    public Address masterAddress(String service) {
        List<String> failed = new ArrayList<>();
        for (RedisClient sentinel : sentinels) {
            try {
                for (Map<String, String> state : sentinel.execute(masters())) {
                    if (service.equals(state.get("name")) && isUp(state) && flags(state).contains("master")) {
                        first(sentinel);
                        return address(state);
                    }
                }
            } catch (SamewireException error) {
                failed.add(error.getMessage());
            }
        }
        throw ConnectionException.closed(false, "no sentinel knows a master of \"" + service + "\" that is up "
            + failed, null);
    }

    private void first(RedisClient sentinel) {
        if (sentinels.get(0) != sentinel && sentinels.remove(sentinel)) {
            sentinels.add(0, sentinel);
        }
    }

    /** Returns where the replicas of a service are that are up; none if no sentinel knows one. */
    public List<Address> replicaAddresses(String service) {
        for (RedisClient sentinel : sentinels) {
            try {
                List<Address> found = sentinel.execute(Commands.of(STATES, "SENTINEL REPLICAS", service)).stream()
                    .filter(RedisSentinel::isUp).map(RedisSentinel::address).toList();
                if (!found.isEmpty()) {
                    return found;
                }
            } catch (SamewireException next) {
                continue;
            }
        }
        return List.of();
    }

    private static Command<List<Map<String, String>>> masters() {
        return Commands.of(STATES, "SENTINEL MASTERS");
    }

    private static List<String> flags(Map<String, String> state) {
        return List.of(state.getOrDefault("flags", "").split(","));
    }

    private static boolean isUp(Map<String, String> state) {
        List<String> flags = flags(state);
        return !flags.contains("s_down") && !flags.contains("o_down");
    }

    private static Address address(Map<String, String> state) {
        try {
            return Address.tcp(state.get("ip"), Integer.parseInt(state.get("port")));
        } catch (NumberFormatException odd) {
            throw new SamewireException(Code.MALFORMED, -1, null, "a sentinel told no port: " + state, odd);
        }
    }

    /** Closes the connections to the sentinels. Clients that need to connect afterwards cannot. */
    @Override
    public void close() {
        sentinels.forEach(RedisClient::close);
    }
}
