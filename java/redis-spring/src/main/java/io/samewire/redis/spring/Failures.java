package io.samewire.redis.spring;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.client.ConnectionException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

/** Exceptions of the client as those of Spring, whose cause they are: {@code mayHaveRun()} stays within reach. */
final class Failures {
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
            return lost.code() == Code.TIMEOUT ? new QueryTimeoutException(lost.getMessage(), lost)
                : new RedisConnectionFailureException(lost.getMessage(), lost);
        } else if (failed instanceof SamewireException other) {
            return other.code() == Code.MISUSE ? new InvalidDataAccessApiUsageException(other.getMessage(), other)
                : new RedisSystemException(other.getMessage(), other);
        }
        return null;
    }
}
