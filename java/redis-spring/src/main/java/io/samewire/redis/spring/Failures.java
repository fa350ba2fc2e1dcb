package io.samewire.redis.spring;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.client.ConnectionException;
import io.samewire.redis.resp.RedisException;
import java.util.Set;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

/** Exceptions of the client as those of Spring, whose cause they are: {@code mayHaveRun()} stays within reach. */
final class Failures {
    /** What refuses a connection: commands cannot name a user. */
    private static final Set<String> CREDENTIALS = Set.of("WRONGPASS", "NOAUTH");

    private Failures() { }

    /** Returns Spring's exception, or the same if it is not the client's. */
    static RuntimeException translate(RuntimeException failed) {
        DataAccessException translated = translateIfPossible(failed);
        return translated == null ? failed : translated;
    }

    /** Returns Spring's exception, or null if it is not the client's. */
    static DataAccessException translateIfPossible(RuntimeException failed) {
        if (failed instanceof DataAccessException already) {
            return already;
        } else if (failed instanceof ConnectionException lost) {
            // A time that was over before the command went out is one of connecting: containers come back after that.
            return lost.code() == Code.TIMEOUT && lost.mayHaveRun() ? new QueryTimeoutException(lost.getMessage(), lost)
                : new RedisConnectionFailureException(lost.getMessage(), lost);
        } else if (failed instanceof RedisException refused && CREDENTIALS.contains(refused.word())) {
            return new RedisConnectionFailureException(refused.getMessage(), refused);
        } else if (failed instanceof SamewireException other) {
            return other.code() == Code.MISUSE ? new InvalidDataAccessApiUsageException(other.getMessage(), other)
                : new RedisSystemException(other.getMessage(), other);
        }
        return null;
    }
}
