package io.samewire.redis.spring;

import io.samewire.redis.client.Address;
import io.samewire.redis.client.Observer;
import io.samewire.redis.client.RedisOptions;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * Gives a Spring Boot program a {@link SamewireConnectionFactory} by its properties {@code spring.data.redis.*}, before
 * Boot takes another client. A connection factory of the program's own, or one that
 * {@code spring.data.redis.client-type} names, comes first.
 */
@AutoConfiguration(before = RedisAutoConfiguration.class)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnProperty(name = "spring.data.redis.client-type", havingValue = "samewire", matchIfMissing = true)
// Programs with Spring Boot have its modules, and others do not load this class.
@SuppressWarnings("exports")
public class SamewireRedisAutoConfiguration {
    private static final String SAMEWIRE = "samewire";
    private static final ConfigurationPropertyName CLIENT_TYPE =
        ConfigurationPropertyName.of("spring.data.redis.client-type");

    /** Creates what Spring calls. */
    public SamewireRedisAutoConfiguration() { }

    /** Returns what lets Boot bind {@code client-type=samewire}: its own type has no name for this client. */
    @Bean
    public static ConfigurationPropertiesBindHandlerAdvisor samewireClientType() {
        return parent -> new AbstractBindHandler(parent) {
            @Override
            public Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
                    Exception failed) throws Exception {
                boolean ours = name.equals(CLIENT_TYPE) && context.getConfigurationProperty() != null
                    && SAMEWIRE.equalsIgnoreCase(String.valueOf(context.getConfigurationProperty().getValue()));
                return ours ? null : super.onFailure(name, target, context, failed);
            }
        };
    }

    /**
     * Returns the connection factory.
     *
     * @param details where the server is: the properties, or what a container or a test says
     * @param observers receive the client's calls and connections
     * @param customizers change the options last
     */
    @Bean
    @ConditionalOnMissingBean(RedisConnectionFactory.class)
    public SamewireConnectionFactory redisConnectionFactory(RedisProperties properties, RedisConnectionDetails details,
            ObjectProvider<Observer> observers, ObjectProvider<RedisOptionsCustomizer> customizers) {
        RedisOptions options = options(properties, bundle(details));
        for (Observer observer : observers.orderedStream().toList()) {
            options = options.withObserver(observer);
        }
        for (RedisOptionsCustomizer customizer : customizers.orderedStream().toList()) {
            options = customizer.customize(options);
        }
        return new SamewireConnectionFactory(configuration(details), options);
    }

    private static SslBundle bundle(RedisConnectionDetails details) {
        if (details.getSentinel() != null) {
            return details.getSentinel().getSslBundle();
        } else if (details.getCluster() != null) {
            return details.getCluster().getSslBundle();
        }
        return details.getStandalone() == null ? null : details.getStandalone().getSslBundle();
    }

    private static RedisOptions options(RedisProperties properties, SslBundle bundle) {
        RedisOptions options = RedisOptions.of(Address.tcp("localhost", Address.DEFAULT_PORT));
        if (properties.getTimeout() != null) {
            options = options.withCommandTimeout(properties.getTimeout());
        }
        if (properties.getConnectTimeout() != null) {
            options = options.withConnectTimeout(properties.getConnectTimeout());
        }
        if (properties.getClientName() != null && !properties.getClientName().isEmpty()) {
            options = options.withClientName(properties.getClientName());
        }
        if (bundle != null) {
            return options.withTls(bundle.createSslContext());
        }
        boolean secured = properties.getSsl().isEnabled()
            || properties.getUrl() != null && properties.getUrl().startsWith("rediss://");
        return secured ? options.withTls(null) : options;
    }

    private static RedisConfiguration configuration(RedisConnectionDetails details) {
        if (details.getSentinel() != null) {
            return sentinels(details, details.getSentinel());
        } else if (details.getCluster() != null) {
            RedisClusterConfiguration made = new RedisClusterConfiguration();
            made.setClusterNodes(nodes(details.getCluster().getNodes()));
            made.setUsername(details.getUsername());
            made.setPassword(RedisPassword.of(details.getPassword()));
            return made;
        }
        RedisConnectionDetails.Standalone server = details.getStandalone();
        RedisStandaloneConfiguration made = new RedisStandaloneConfiguration(server.getHost(), server.getPort());
        made.setDatabase(server.getDatabase());
        made.setUsername(details.getUsername());
        made.setPassword(RedisPassword.of(details.getPassword()));
        return made;
    }

    private static RedisSentinelConfiguration sentinels(RedisConnectionDetails details,
            RedisConnectionDetails.Sentinel service) {
        RedisSentinelConfiguration made = new RedisSentinelConfiguration();
        made.master(service.getMaster());
        made.setSentinels(nodes(service.getNodes()));
        made.setDatabase(service.getDatabase());
        made.setUsername(details.getUsername());
        made.setPassword(RedisPassword.of(details.getPassword()));
        made.setSentinelUsername(service.getUsername());
        made.setSentinelPassword(RedisPassword.of(service.getPassword()));
        return made;
    }

    private static List<RedisNode> nodes(List<RedisConnectionDetails.Node> given) {
        return given.stream().map(one -> new RedisNode(one.host(), one.port())).toList();
    }
}
