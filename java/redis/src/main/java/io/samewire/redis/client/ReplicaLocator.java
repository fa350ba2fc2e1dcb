package io.samewire.redis.client;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** The replicas of a service in turn, from a random one on; its master if there are none. */
final class ReplicaLocator implements Locator {
    private final RedisSentinel sentinels;
    private final String service;
    private final AtomicInteger turn = new AtomicInteger(ThreadLocalRandom.current().nextInt());

    ReplicaLocator(RedisSentinel sentinels, String service) {
        this.sentinels = sentinels;
        this.service = service;
    }

    @Override
    public String name() {
        return "a replica of \"" + service + "\" (sentinels " + sentinels + ")";
    }

    @Override
    public Address find() {
        List<Address> replicas = sentinels.replicaAddresses(service);
        return replicas.isEmpty() ? sentinels.masterAddress(service)
            : replicas.get(Math.floorMod(turn.getAndIncrement(), replicas.size()));
    }
}
