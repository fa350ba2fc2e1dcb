package io.samewire.redis.spring;

import io.samewire.redis.client.Address;
import io.samewire.redis.client.CommandClient;
import io.samewire.redis.client.ReadFrom;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisCluster;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.RedisSentinel;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.data.redis.connection.ReactiveRedisClusterConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * Connections of Spring Data Redis by a client of Samewire: of a server, of a master that sentinels know, or of a
 * cluster. Templates, caches, listeners and sessions take it as they take Lettuce's or Jedis's. Thread-safe.
 *
 * <pre>{@code
 * var factory = new SamewireConnectionFactory(RedisOptions.of("redis://localhost:6379"));
 * var template = new StringRedisTemplate(factory);
 * template.opsForValue().set("greeting", "hello");
 * }</pre>
 *
 * <p>The client connects when it is first used. What the server or the connection fails with is the cause of Spring's
 * exception: {@link io.samewire.redis.client.ConnectionException#mayHaveRun()} tells whether a command may have run.
 */
public final class SamewireConnectionFactory implements RedisConnectionFactory, ReactiveRedisConnectionFactory,
        DisposableBean {
    private final RedisOptions options;
    /** Null for the server of the options. */
    private final RedisConfiguration configuration;
    private final boolean givenClient;
    private final ReentrantLock lock = new ReentrantLock();
    /** Null until it is used. */
    private volatile CommandClient client;
    // Guarded by `lock`.
    private final Map<Integer, RedisClient> databases = new HashMap<>();
    private final NodeClients nodes = new NodeClients();
    private RedisSentinel sentinels;
    private volatile boolean destroyed;
    /** The reactive ones that are not over. */
    final Set<FluxSubscription> subscriptions = ConcurrentHashMap.newKeySet();

    /** Creates a factory for the server of these options. */
    public SamewireConnectionFactory(RedisOptions options) {
        this(null, options, null);
    }

    /**
     * Creates a factory for what Spring describes: a server, a unix socket, sentinels or a cluster.
     *
     * @param options all else; their address, credentials and database are those of the configuration
     * @throws IllegalArgumentException if the configuration is of another kind
     */
    public SamewireConnectionFactory(RedisConfiguration configuration, RedisOptions options) {
        this(Objects.requireNonNull(configuration), configured(configuration, options), null);
    }

    /** Creates a factory for a client that the program has, and closes itself. */
    public SamewireConnectionFactory(CommandClient client) {
        this(null, client instanceof RedisClient single ? single.options() : RedisOptions.of("redis://"),
            Objects.requireNonNull(client));
    }

    private SamewireConnectionFactory(RedisConfiguration configuration, RedisOptions options, CommandClient client) {
        this.configuration = configuration;
        this.options = Objects.requireNonNull(options);
        this.client = client;
        this.givenClient = client != null;
    }

    private static RedisOptions configured(RedisConfiguration configuration, RedisOptions options) {
        if (configuration instanceof RedisStandaloneConfiguration server) {
            return credentials(options, server.getUsername(), server.getPassword())
                .withAddress(Address.tcp(server.getHostName(), server.getPort())).withDatabase(server.getDatabase());
        } else if (configuration instanceof RedisSocketConfiguration server) {
            return credentials(options, server.getUsername(), server.getPassword())
                .withAddress(Address.unix(server.getSocket())).withDatabase(server.getDatabase());
        } else if (configuration instanceof RedisSentinelConfiguration service) {
            return credentials(options, service.getUsername(), service.getPassword())
                .withDatabase(service.getDatabase());
        } else if (configuration instanceof RedisClusterConfiguration cluster) {
            return credentials(options, cluster.getUsername(), cluster.getPassword());
        }
        throw new IllegalArgumentException("expected a standalone, socket, sentinel or cluster configuration, found "
            + configuration.getClass().getSimpleName());
    }

    private static RedisOptions credentials(RedisOptions options, String user, RedisPassword password) {
        return password.isPresent() ? options.withCredentials(user, new String(password.get())) : options;
    }

    // --- clients

    /** Returns the client, made now if it is not there. */
    public CommandClient client() {
        CommandClient found = client;
        return found != null && !destroyed ? found : locked(() -> {
            if (client == null) {
                client = made();
            }
            return client;
        });
    }

    /** Returns the client if it is there, else null. */
    CommandClient present() {
        return destroyed ? null : client;
    }

    private CommandClient made() {
        if (configuration instanceof RedisClusterConfiguration cluster) {
            return RedisCluster.connect(options, addresses(cluster.getClusterNodes()), ReadFrom.PRIMARY);
        }
        return ofDatabase(options.database());
    }

    private RedisClient ofDatabase(int database) {
        RedisOptions own = options.withDatabase(database);
        if (configuration instanceof RedisSentinelConfiguration service) {
            if (sentinels == null) {
                sentinels = RedisSentinel.connect(sentinels(service));
            }
            return sentinels.master(service.getMaster().getName(), own);
        }
        return RedisClient.create(own);
    }

    private List<RedisOptions> sentinels(RedisSentinelConfiguration service) {
        RedisOptions own = credentials(options.withDatabase(0).withCredentials(null, null),
            service.getSentinelUsername(), service.getSentinelPassword());
        return addresses(service.getSentinels()).stream().map(own::withAddress).toList();
    }

    private static List<Address> addresses(Collection<RedisNode> nodes) {
        return nodes.stream().map(one -> Address.tcp(one.getHost(), one.getPort())).toList();
    }

    /** Returns the client of another database of the same server, which has connections of its own. */
    CommandClient client(int database) {
        CommandClient usual = client();
        if (usual instanceof RedisCluster) {
            if (database == 0) {
                return usual;
            }
            throw new InvalidDataAccessApiUsageException("a cluster has only database 0, found SELECT " + database);
        } else if (database == options.database()) {
            return usual;
        } else if (givenClient) {
            throw new InvalidDataAccessApiUsageException("SELECT " + database + ": the factory was given a client of"
                + " database " + options.database() + "; give it RedisOptions instead");
        }
        return locked(() -> databases.computeIfAbsent(database, this::ofDatabase));
    }

    /** Returns the client of one node of a cluster. */
    RedisClient node(Address address) {
        return locked(() -> nodes.at(address, at -> RedisClient.create(options.withAddress(at))));
    }

    /** Closes the clients of nodes that have left the cluster. present: all nodes of the cluster */
    void retainNodes(Collection<RedisClusterNode> present) {
        Set<Address> addresses = present.stream().filter(one -> one.hasValidHost() && one.getPort() > 0)
            .map(one -> Address.tcp(one.getHost(), one.getPort())).collect(Collectors.toSet());
        lock.lock();
        try {
            if (!destroyed) {
                nodes.retain(addresses);
            }
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> use) {
        lock.lock();
        try {
            if (destroyed) {
                throw new IllegalStateException("the connection factory was destroyed");
            }
            return use.get();
        } catch (RuntimeException failed) {
            throw Failures.translate(failed);
        } finally {
            lock.unlock();
        }
    }

    // --- connections

    @Override
    public RedisConnection getConnection() {
        CommandClient found = client();
        return found instanceof RedisCluster cluster ? new SamewireClusterConnection(this, cluster)
            : new SamewireConnection(this, found);
    }

    @Override
    public RedisClusterConnection getClusterConnection() {
        return clusterConnection();
    }

    SamewireClusterConnection clusterConnection() {
        if (client() instanceof RedisCluster cluster) {
            return new SamewireClusterConnection(this, cluster);
        }
        throw new InvalidDataAccessApiUsageException("expected a factory of a cluster, and this one is of a server");
    }

    /** Returns a reactive connection. It needs Reactor, and waits for no server. */
    @Override
    public ReactiveRedisConnection getReactiveConnection() {
        return isCluster() ? new SamewireReactiveClusterConnection(this) : new SamewireReactiveConnection(this);
    }

    @Override
    public ReactiveRedisClusterConnection getReactiveClusterConnection() {
        if (isCluster()) {
            return new SamewireReactiveClusterConnection(this);
        }
        throw new InvalidDataAccessApiUsageException("expected a factory of a cluster, and this one is of a server");
    }

    private boolean isCluster() {
        return configuration instanceof RedisClusterConfiguration || client instanceof RedisCluster;
    }

    @Override
    public RedisSentinelConnection getSentinelConnection() {
        if (!(configuration instanceof RedisSentinelConfiguration service)) {
            throw new InvalidDataAccessResourceUsageException("expected a factory with a RedisSentinelConfiguration,"
                + " and this one has none");
        }
        return new SamewireSentinelConnection(first(sentinels(service), RedisClient::connect));
    }

    /** Returns the first of some that does not fail, or throws what the last one failed with. */
    private static RedisClient first(List<RedisOptions> places, Function<RedisOptions, RedisClient> connect) {
        RuntimeException last = null;
        for (RedisOptions one : places) {
            try {
                return connect.apply(one);
            } catch (RuntimeException unreachable) {
                last = Failures.translate(unreachable);
            }
        }
        throw last == null ? new IllegalArgumentException("expected at least one sentinel, found none") : last;
    }

    /** Replies of pipelines and transactions are converted, too. */
    @Override
    public boolean getConvertPipelineAndTxResults() {
        return true;
    }

    @Override
    public DataAccessException translateExceptionIfPossible(RuntimeException failed) {
        return Failures.translateIfPossible(failed);
    }

    /** Ends reactive subscriptions, and closes the clients that the factory has made. */
    @Override
    public void destroy() {
        lock.lock();
        try {
            destroyed = true;
        } finally {
            lock.unlock();
        }
        List.copyOf(subscriptions).forEach(FluxSubscription::end);
        if (client != null && !givenClient) {
            client.close();
        }
        databases.values().forEach(RedisClient::close);
        nodes.close();
        if (sentinels != null) {
            sentinels.close();
        }
    }

    /** Where the server is. */
    @Override
    public String toString() {
        return "connections of " + (client != null ? client : options);
    }
}
