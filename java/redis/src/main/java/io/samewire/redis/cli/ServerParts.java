package io.samewire.redis.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** A server as redis-cli's options name it, put together to a URI. */
final class ServerParts {
    private final Map<String, String> given = new HashMap<>();
    private boolean tls;

    void set(String option, String value) {
        given.put(option, value);
    }

    void useTls() {
        tls = true;
    }

    boolean isGiven() {
        return tls || !given.isEmpty();
    }

    String uri() {
        StringBuilder uri = new StringBuilder(tls ? "rediss://" : "redis://");
        if (given.containsKey("-a") || given.containsKey("--user")) {
            uri.append(encoded("--user")).append(':').append(encoded("-a")).append('@');
        }
        String host = given.getOrDefault("-h", "127.0.0.1");
        uri.append(host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host);
        uri.append(':').append(given.getOrDefault("-p", "6379"));
        return uri.append('/').append(given.getOrDefault("-n", "0")).toString();
    }

    private String encoded(String option) {
        // The encoder is that of forms, in which a blank is a plus; in a URI a plus is itself.
        return URLEncoder.encode(given.getOrDefault(option, ""), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
