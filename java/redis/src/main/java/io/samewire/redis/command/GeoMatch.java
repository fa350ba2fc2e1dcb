package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A member that a search found, and what was asked for of it.
 *
 * @param member the member
 * @param distance the distance from the centre, in the unit of the search: with {@code WITHDIST}
 * @param hash the place as the score of the member: with {@code WITHHASH}
 * @param position the place: with {@code WITHCOORD}
 */
public record GeoMatch<V>(V member, OptionalDouble distance, OptionalLong hash, Optional<GeoPosition> position) {
    static <V> GeoMatch<V> read(ReplyReader in, Reading<V> members) {
        if (in.type() != ReplyType.ARRAY) {
            return new GeoMatch<>(members.read(in), OptionalDouble.empty(), OptionalLong.empty(), Optional.empty());
        }
        int count = Replies.begin(in, 1);
        V member = members.read(in);
        OptionalDouble distance = OptionalDouble.empty();
        OptionalLong hash = OptionalLong.empty();
        Optional<GeoPosition> position = Optional.empty();
        for (int i = 1; i < count; i++) {
            // Each of them has a type of its own.
            switch (in.type()) {
                case INTEGER -> hash = OptionalLong.of(in.readLong());
                case ARRAY -> position = Optional.of(GeoPosition.read(in));
                default -> distance = OptionalDouble.of(in.readDouble());
            }
        }
        return new GeoMatch<>(member, distance, hash, position);
    }
}
