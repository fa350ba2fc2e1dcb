package io.samewire.redis.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.redis.client.Address;
import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.client.Observer;
import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.ValkeyCluster;
import io.samewire.redis.client.ValkeySentinels;
import io.samewire.redis.client.ValkeyServer;
import io.samewire.redis.command.Commands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.BeansException;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveRedisTemplate;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Programs of Spring Boot, which take the client by their properties. */
@Timeout(180)
class AutoConfigurationTest {
    private static final List<String> OBSERVED = Collections.synchronizedList(new ArrayList<>());

    @Configuration
    @EnableAutoConfiguration
    @EnableCaching
    static class Application {
        @Bean
        Observer observer() {
            return new Observer() {
                @Override
                public void finished(Object token, Operation operation, Duration time, Throwable error) {
                    OBSERVED.add(operation.name());
                }
            };
        }

        @Bean
        RedisOptionsCustomizer fewConnections() {
            return options -> options.withConnections(3);
        }
    }

    private static ConfigurableApplicationContext started(String... properties) {
        return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF).logStartupInfo(false).properties("logging.level.root=off").run(
                Stream.of(properties).map(one -> "--spring.data.redis." + one).toArray(String[]::new));
    }

    private static RedisClient client(ConfigurableApplicationContext context) {
        return assertInstanceOf(RedisClient.class, context.getBean(SamewireConnectionFactory.class).client());
    }

    @Test
    void programRunsAsWithLettuce() throws Exception {
        List<String> expected;
        try (ValkeyServer server = ValkeyServer.start();
                ConfigurableApplicationContext context = started("client-type=lettuce", "port=" + server.port())) {
            RedisConnectionFactory factory = context.getBean(RedisConnectionFactory.class);
            assertInstanceOf(LettuceConnectionFactory.class, factory);
            expected = Program.run(factory);
        }
        OBSERVED.clear();
        try (ValkeyServer server = ValkeyServer.start();
                ConfigurableApplicationContext context = started("port=" + server.port())) {
            RedisConnectionFactory factory = context.getBean(RedisConnectionFactory.class);
            assertInstanceOf(SamewireConnectionFactory.class, factory);
            List<String> found = Program.run(factory);
            assertEquals(String.join("\n", expected), String.join("\n", found));
            assertTrue(found.size() > 25, found.toString());
            assertTrue(OBSERVED.containsAll(List.of("SET", "MULTI", "PIPELINE", "EVALSHA")), OBSERVED.toString());
            StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
            template.opsForValue().set("by", "Boot's template");
            assertEquals("Boot's template", template.opsForValue().get("by"));
            assertInstanceOf(RedisCacheManager.class, context.getBean(CacheManager.class)).getCache("c").put("k", "v");
            assertTrue(template.hasKey("c::k"));
            assertEquals(3, client(context).options().connections());
        }
    }

    /** Boot makes the templates of one factory, which is the only one. */
    @Test
    void reactiveTemplatesAreThere() {
        try (ValkeyServer server = ValkeyServer.start();
                ConfigurableApplicationContext context = started("port=" + server.port())) {
            assertInstanceOf(SamewireConnectionFactory.class, context.getBean(ReactiveRedisConnectionFactory.class));
            ReactiveStringRedisTemplate template = context.getBean(ReactiveStringRedisTemplate.class);
            assertTrue(template.opsForValue().set("by", "Boot's template").block());
            assertEquals("Boot's template", template.opsForValue().get("by").block());
            ReactiveRedisTemplate<?, ?> objects = context.getBean("reactiveRedisTemplate", ReactiveRedisTemplate.class);
            assertInstanceOf(SamewireConnectionFactory.class, objects.getConnectionFactory());
        }
    }

    /** Lettuce is on the class path. */
    @Test
    void clientTypeSaysWhichClientItIs() {
        try (ConfigurableApplicationContext context = started("client-type=samewire")) {
            assertInstanceOf(SamewireConnectionFactory.class, context.getBean(ReactiveRedisConnectionFactory.class));
            assertEquals(1, context.getBeansOfType(RedisConnectionFactory.class).size());
        }
        try (ConfigurableApplicationContext context = started("client-type=lettuce")) {
            assertInstanceOf(LettuceConnectionFactory.class, context.getBean(ReactiveRedisConnectionFactory.class));
            assertEquals(1, context.getBeansOfType(RedisConnectionFactory.class).size());
        }
        assertThrows(BeansException.class, () -> started("client-type=samewires").close());
    }

    @Test
    void propertiesOfOneServerAreHonoured() {
        try (ValkeyServer server = ValkeyServer.start("--user", "ada", "on", ">s3cret", "~*", "&*", "+@all",
                "--user", "default", "off")) {
            String[] each = {"host=127.0.0.1", "port=" + server.port(), "username=ada", "password=s3cret",
                "database=5", "client-name=shop", "timeout=5s", "connect-timeout=2s"};
            try (ConfigurableApplicationContext context = started(each)) {
                StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
                template.opsForValue().set("k", "v");
                String own = clients(context, "shop");
                assertTrue(own.contains("user=ada") && own.contains("db=5"), own);
                server.stall();
                ConnectionException late = assertInstanceOf(ConnectionException.class,
                    assertThrows(org.springframework.dao.QueryTimeoutException.class,
                        () -> template.opsForValue().increment("n")).getCause());
                server.goOn();
                assertTrue(late.mayHaveRun());
            }
            String url = "url=redis://ada:s3cret@127.0.0.1:" + server.port() + "/5";
            try (ConfigurableApplicationContext context = started(url)) {
                assertEquals("v", context.getBean(StringRedisTemplate.class).opsForValue().get("k"));
            }
        }
    }

    private static String clients(ConfigurableApplicationContext context, String name) {
        return Arrays.stream(client(context).execute(io.samewire.redis.command.Commands.of(in -> in.readString(),
            "CLIENT LIST")).split("\n")).filter(line -> line.contains("name=" + name + " "))
            .collect(Collectors.joining("\n"));
    }

    @Test
    void tlsIsAskedForByPropertyAndUrl() {
        for (String[] each : new String[][] {{"ssl.enabled=true"}, {"url=rediss://127.0.0.1:6380"}}) {
            try (ConfigurableApplicationContext context = started(each)) {
                assertTrue(client(context).options().toString().startsWith("rediss://"));
            }
        }
    }

    @Test
    void sentinelsTellWhereTheMasterIs() {
        try (ValkeySentinels servers = new ValkeySentinels();
                ConfigurableApplicationContext context = started("sentinel.master=" + ValkeySentinels.SERVICE,
                    "sentinel.nodes=" + nodes(servers.uris()), "timeout=30s",
                    "connect-timeout=30s")) {
            StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
            template.opsForValue().set("k", "v", Duration.ofMinutes(1));
            assertEquals("v", template.opsForValue().get("k"));
            try (var sentinel = context.getBean(RedisConnectionFactory.class).getSentinelConnection()) {
                assertEquals(List.of(ValkeySentinels.SERVICE), sentinel.masters().stream().map(one -> one.getName())
                    .toList());
                assertEquals(1, sentinel.replicas(sentinel.masters().iterator().next()).size());
                assertTrue(sentinel.isOpen());
            } catch (java.io.IOException impossible) {
                throw new AssertionError(impossible);
            }
            ReactiveStringRedisTemplate reactive = context.getBean(ReactiveStringRedisTemplate.class);
            assertEquals("v", reactive.opsForValue().get("k").block());
        }
    }

    private static String nodes(String[] uris) {
        return Stream.of(uris).map(uri -> uri.substring("redis://".length())).collect(Collectors.joining(","));
    }

    @Test
    void clusterRunsTheProgramToo() throws Exception {
        try (ValkeyCluster servers = new ValkeyCluster();
                ConfigurableApplicationContext context = started("cluster.nodes=" + nodes(servers.uris()),
                    "connect-timeout=30s")) {
            RedisConnectionFactory factory = context.getBean(RedisConnectionFactory.class);
            List<String> found = Program.run(factory);
            assertTrue(found.contains("transaction: [10, 10, true]"), found.toString());
            assertTrue(found.contains("scan: [queue]"), found.toString());
            ClusterCalls.check(factory);
            ReactiveRedisConnectionFactory reactive = context.getBean(ReactiveRedisConnectionFactory.class);
            List<String> seen = ReactiveProgram.run(reactive);
            assertTrue(seen.contains("scan: [greeting]"), seen.toString());
            ReactiveClusterCalls.check(reactive);
            try (RedisClusterConnection connection = factory.getClusterConnection()) {
                assertTrue(connection.serverCommands().dbSize() > 5);
                closesTheClientOfANodeThatLeft((SamewireConnectionFactory) factory, connection);
            }
        }
    }

    private static void closesTheClientOfANodeThatLeft(SamewireConnectionFactory factory,
            RedisClusterConnection connection) {
        RedisClusterNode left = connection.clusterGetReplicas(connection.clusterGetNodeForSlot(0)).iterator().next();
        RedisClusterNode stays = connection.clusterGetNodeForSlot(0);
        // A name of the program's own, which the cluster does not list.
        RedisClusterNode alias = new RedisClusterNode("localhost", stays.getPort());
        List<RedisClient> clients = Stream.of(left, stays, alias).map(one -> client(factory, one)).toList();
        clients.forEach(one -> one.execute(Commands.of("PING")));
        connection.clusterForget(left);
        assertEquals(List.of(), connection.clusterGetReplicas(stays));
        assertThrows(ConnectionException.class, () -> clients.get(0).execute(Commands.of("PING")));
        assertSame(clients.get(1), client(factory, stays));
        assertSame(clients.get(2), client(factory, alias));
        // It can still be called: to shut it down, say.
        assertEquals("PONG", connection.ping(left));
    }

    private static RedisClient client(SamewireConnectionFactory factory, RedisClusterNode node) {
        return factory.node(Address.tcp(node.getHost(), node.getPort()));
    }
}
