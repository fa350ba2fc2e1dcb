package io.samewire.redis.client;

import java.time.Duration;

/**
 * The Java side of the lock in {@code python/tests/redis/crossing.py}: {@code LockCrossing URI}. Finds the lock
 * {@code python} as the other side has it, releases it by its token, and leaves its own lock, {@code java}, held.
 */
final class LockCrossing {
    private LockCrossing() { }

    public static void main(String[] args) {
        try (RedisClient client = RedisClient.connect(args[0])) {
            RedisLock lock = client.lock("python").withTimeout(Duration.ofMinutes(1));
            System.out.println("locked " + lock.isLocked());
            System.out.println("taken " + lock.tryAcquire().isPresent());
            System.out.println("owned " + lock.held("other").isOwned() + " " + lock.held("ours").isOwned());
            RedisLock.Held held = lock.held("ours");
            held.extend(Duration.ofHours(1));
            held.reacquire();
            held.release();
            System.out.println("locked " + lock.isLocked());
            System.out.println(client.lock("java").withTimeout(Duration.ofHours(1)).acquire().token());
        }
    }
}
