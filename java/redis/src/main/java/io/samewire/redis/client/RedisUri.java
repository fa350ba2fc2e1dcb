package io.samewire.redis.client;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The parts of a client's URI. The text is taken apart here: {@code java.net.URI} refuses many passwords. */
final class RedisUri {
    private final RedisOptions options = new RedisOptions();

    RedisUri(String uri) {
        int colon = uri.indexOf("://");
        String scheme = colon < 0 ? "" : uri.substring(0, colon);
        String rest = uri.substring(colon < 0 ? 0 : colon + 3);
        int question = rest.lastIndexOf('?');
        String query = question < 0 ? "" : rest.substring(question + 1);
        String place = question < 0 ? rest : rest.substring(0, question);
        switch (scheme) {
            case "redis", "valkey" -> tcp(place);
            case "rediss", "valkeys" -> {
                options.tls = true;
                tcp(place);
            }
            case "unix" -> options.address = Address.unix(decoded(credentials(place)));
            default -> throw RedisOptions.misuse("expected redis://, rediss:// or unix:// before the address, found "
                + (colon < 0 ? "none: try redis://" + uri.substring(uri.lastIndexOf('@') + 1) : scheme + "://"));
        }
        for (String part : query.isEmpty() ? new String[0] : query.split("&")) {
            int equals = part.indexOf('=');
            option(part.substring(0, Math.max(equals, 0)), decoded(part.substring(equals + 1)));
        }
    }

    RedisOptions options() {
        return options;
    }

    private static String decoded(String text) {
        // A plus is a plus here.
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Takes what stands before the last at sign, and returns the rest. */
    private String credentials(String place) {
        int at = place.lastIndexOf('@');
        if (at < 0) {
            return place;
        }
        String given = place.substring(0, at);
        int colon = given.indexOf(':');
        String user = decoded(colon < 0 ? given : given.substring(0, colon));
        options.user = user.isEmpty() ? null : user;
        options.password = colon < 0 ? null : decoded(given.substring(colon + 1));
        return place.substring(at + 1);
    }

    private void tcp(String place) {
        int at = place.lastIndexOf('@');
        int slash = place.indexOf('/', at + 1);
        if (slash >= 0 && slash + 1 < place.length()) {
            options.database = number("database", place.substring(slash + 1));
        }
        String server = credentials(slash < 0 ? place : place.substring(0, slash));
        int bracket = server.lastIndexOf(']');
        int colon = server.indexOf(':', Math.max(bracket, 0));
        String host = decoded(colon < 0 ? server : server.substring(0, colon));
        if (bracket >= 0) {
            host = host.replaceAll("[\\[\\]]", "");
        }
        int port = colon < 0 ? Address.DEFAULT_PORT : number("port", server.substring(colon + 1));
        options.address = Address.tcp(host.isEmpty() ? "localhost" : host, port);
    }

    private void option(String name, String value) {
        RedisOptions checked = switch (name) {
            case "db" -> options.withDatabase(number(name, value));
            case "protocol" -> options.withProtocol(number(name, value));
            case "max_connections" -> options.withConnections(number(name, value));
            case "client_name" -> options.withClientName(value);
            case "timeout" -> options.withCommandTimeout(seconds(name, value));
            case "connect_timeout" -> options.withConnectTimeout(seconds(name, value));
            case "breaker" -> options.withBreaker(seconds(name, value));
            default -> throw RedisOptions.misuse("the URI has the option " + name + ": expected db, protocol,"
                + " client_name, max_connections, timeout, connect_timeout or breaker");
        };
        options.database = checked.database;
        options.protocol = checked.protocol;
        options.connections = checked.connections;
        options.clientName = checked.clientName;
        options.commandTimeout = checked.commandTimeout;
        options.timed = checked.timed;
        options.connectTimeout = checked.connectTimeout;
        options.reachTimeout = checked.reachTimeout;
        options.breakerAfter = checked.breakerAfter;
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseUnsignedInt(value);
        } catch (NumberFormatException wrong) {
            throw RedisOptions.misuse("the URI's " + name + " is not a number: " + value);
        }
    }

    private static Duration seconds(String name, String value) {
        try {
            return Duration.ofNanos((long) (Double.parseDouble(value) * 1e9));
        } catch (NumberFormatException wrong) {
            throw RedisOptions.misuse("the URI's " + name + " is not a number of seconds: " + value);
        }
    }
}
