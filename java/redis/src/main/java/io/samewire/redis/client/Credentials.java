package io.samewire.redis.client;

import java.util.Objects;

/**
 * Who a client is to the server.
 *
 * @param user a user of the server's ACL; null for the default user
 * @param password its password, or a token that stands for one
 */
public record Credentials(String user, String password) {
    /** Refuses a password that is null. */
    public Credentials {
        Objects.requireNonNull(password);
    }

    /** The user; not the password. */
    @Override
    public String toString() {
        return "credentials of " + (user == null ? "the default user" : user);
    }
}
