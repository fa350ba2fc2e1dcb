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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * The sentinels that watch services. They are asked for a service's master each time that a connection to it is made,
 * and the server for its role; when they say that there is another one ({@code +switch-master}), the connections to the
 * former one are left. Thread-safe. The clients that it gives are closed by themselves.
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
    /** No second attempt; subscribers pause before theirs. */
    private static final Retry ONCE = new Retry(0, Retry.DEFAULT.base(), Retry.DEFAULT.cap());
    /** The channel on which sentinels say that a service has another master. */
    private static final String SWITCH = "+switch-master";

    /** The one that knew a master last comes first. */
    private final CopyOnWriteArrayList<RedisClient> sentinels = new CopyOnWriteArrayList<>();
    /** What is notified of changes. */
    private final Set<MasterLocator> watching = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean listening = new AtomicBoolean();
    /** The highest epoch of the configuration that a sentinel has told for a service. */
    private final Map<String, Long> epochs = new ConcurrentHashMap<>();

    private RedisSentinel(List<RedisOptions> addresses) {
        // The attempt after a failed one is at the next sentinel, which a silent one must not hold up for long.
        for (RedisOptions one : addresses) {
            RedisOptions own = one.withRetry(ONCE).withBreaker(null);
            own.commandTimeout = own.timed ? own.commandTimeout : own.connectTimeout;
            sentinels.add(RedisClient.create(own));
        }
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

    /** Returns a client of a service's current master, which connects when it is first used. */
    public RedisClient master(String service) {
        return master(service, RedisOptions.of("redis://"));
    }

    /** Returns a client of a service's current master. The address of the options is ignored. */
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
     * Hears what a sentinel says of changes. It tells of them seconds before a former master knows of its new role, and
     * goes on taking writes that are lost.
     */
    private final class Changes implements MessageListener {
        private final RedisClient sentinel;

        Changes(RedisClient sentinel) {
            this.sentinel = sentinel;
        }

        /** orders 10.0.0.1 6379 10.0.0.2 6379. */
        @Override
        public void message(Message message) {
            String service = message.text().split(" ", 2)[0];
            // The others may not know yet.
            first(sentinel);
            watching.stream().filter(one -> one.service().equals(service)).forEach(MasterLocator::check);
        }

        /** A change may have been missed. */
        @Override
        public void restored() {
            watching.forEach(MasterLocator::check);
        }
    }

    /** Tells a locator of changes from now on. */
    void watch(MasterLocator locator) {
        watching.add(locator);
        if (listening.compareAndSet(false, true)) {
            sentinels.forEach(one -> one.subscribeLater(new Changes(one), SWITCH));
        }
    }

    void unwatch(MasterLocator locator) {
        watching.remove(locator);
    }

    /**
     * Returns where the master of a service is. A sentinel that has not heard of the last change is not believed as
     * long as another one has.
     *
     * @throws ConnectionException if no sentinel knows one that is up
     */
    public Address masterAddress(String service) {
        List<String> asked = new ArrayList<>();
        Address old = null;
        long newest = 0;
        for (RedisClient sentinel : sentinels) {
            Map<String, String> state;
            try {
                state = state(sentinel, service);
            } catch (SamewireException error) {
                asked.add(sentinel.options().address() + " failed: " + error.getMessage());
                continue;
            }
            if (state == null) {
                asked.add(sentinel.options().address() + " watches no such service");
            } else if (!isUp(state) || !flags(state).contains("master")) {
                asked.add(sentinel.options().address() + " says that it is " + state.get("flags"));
            } else {
                long epoch = epoch(state);
                if (epochs.merge(service, epoch, Math::max) == epoch) {
                    first(sentinel);
                    return address(state);
                } else if (old == null || epoch > newest) {
                    old = address(state);
                    newest = epoch;
                }
            }
        }
        if (old != null) {
            return old;
        }
        throw ConnectionException.closed(false, "no sentinel knows a master of \"" + service + "\" that is up: "
            + String.join("; ", asked), null);
    }

    /** Returns what a sentinel knows of a service, or null. */
    private static Map<String, String> state(RedisClient sentinel, String service) {
        return sentinel.execute(masters()).stream().filter(one -> service.equals(one.get("name"))).findFirst()
            .orElse(null);
    }

    private static long epoch(Map<String, String> state) {
        try {
            return Long.parseLong(state.getOrDefault("config-epoch", "0"));
        } catch (NumberFormatException odd) {
            return 0;
        }
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
            throw new SamewireException(Code.MALFORMED, -1, null, "expected a port in a sentinel's reply, found "
                + state, odd);
        }
    }

    /** The sentinels' addresses. */
    @Override
    public String toString() {
        return sentinels.stream().map(one -> one.options().address().toString()).collect(Collectors.joining(", "));
    }

    /** Closes the connections to the sentinels. Clients that need to connect afterwards cannot. */
    @Override
    public void close() {
        sentinels.forEach(RedisClient::close);
    }
}
