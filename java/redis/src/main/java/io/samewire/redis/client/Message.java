package io.samewire.redis.client;

import io.samewire.redis.command.Bytes;
import java.util.Optional;

/**
 * A message that was published.
 *
 * @param channel where
 * @param pattern the subscribed pattern that the channel matched; empty if the channel itself was subscribed to
 * @param payload what
 */
public record Message(Bytes channel, Optional<Bytes> pattern, Bytes payload) {
    /**
     * Returns the payload as text.
     *
     * @throws io.samewire.core.SamewireException {@code bad_utf8} if it is not valid UTF-8
     */
    public String text() {
        return payload.text();
    }
}
