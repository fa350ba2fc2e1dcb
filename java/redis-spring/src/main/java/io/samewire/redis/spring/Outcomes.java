package io.samewire.redis.spring;

import io.samewire.redis.client.Result;
import java.util.ArrayList;
import java.util.List;

/** What commands of a pipeline or transaction reply, in their order. Those that return nothing have no result. */
final class Outcomes {
    private record Outcome(Result<?> result, boolean hasValue) { }

    private final List<Outcome> outcomes = new ArrayList<>();

    void add(Result<?> result, boolean hasValue) {
        outcomes.add(new Outcome(result, hasValue));
    }

    /**
     * Adds the replies to a list, and for a command that failed its exception.
     *
     * @return the first of these, or null
     */
    RuntimeException addTo(List<Object> replies) {
        RuntimeException first = null;
        for (Outcome one : outcomes) {
            if (!one.result.isDone()) {
                continue;
            }
            RuntimeException failure = one.result.failure();
            if (failure != null) {
                RuntimeException translated = Failures.translate(failure);
                replies.add(translated);
                first = first == null ? translated : first;
            } else if (one.hasValue) {
                replies.add(one.result.get());
            }
        }
        return first;
    }
}
