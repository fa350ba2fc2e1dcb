package io.samewire.redis.client;

/** What the thread of {@link Deadlines} looks at. */
interface Watched {
    /**
     * Ends what is over at {@code now}.
     *
     * @return the nanoseconds after which it is to be looked at again, {@code most} at most
     */
    long check(long now, long most);
}
