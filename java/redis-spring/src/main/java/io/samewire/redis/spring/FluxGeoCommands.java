package io.samewire.redis.spring;

import static io.samewire.redis.spring.Buffers.arrays;
import static io.samewire.redis.spring.Buffers.bytes;
import static io.samewire.redis.spring.Buffers.key;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.reactivestreams.Publisher;
import org.springframework.data.geo.Circle;
import org.springframework.data.geo.Distance;
import org.springframework.data.geo.GeoResult;
import org.springframework.data.geo.GeoResults;
import org.springframework.data.geo.Point;
import org.springframework.data.redis.connection.ReactiveClusterGeoCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection.CommandResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.MultiValueResponse;
import org.springframework.data.redis.connection.ReactiveRedisConnection.NumericResponse;
import org.springframework.data.redis.connection.RedisGeoCommands.DistanceUnit;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoLocation;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoRadiusCommandArgs;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoSearchCommandArgs;
import org.springframework.data.redis.connection.RedisGeoCommands.GeoSearchStoreCommandArgs;
import org.springframework.data.redis.domain.geo.GeoReference;
import reactor.core.publisher.Flux;

/** Reactive commands of places. */
final class FluxGeoCommands implements ReactiveClusterGeoCommands {
    private final ReactiveCalls calls;

    FluxGeoCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    @Override
    public Flux<NumericResponse<GeoAddCommand, Long>> geoAdd(Publisher<GeoAddCommand> commands) {
        return calls.each(commands, (to, one) -> {
            List<Object> words = new ArrayList<>();
            for (GeoLocation<ByteBuffer> place : one.getGeoLocations()) {
                words.add(List.of(place.getPoint().getX(), place.getPoint().getY(), bytes(place.getName())));
            }
            return to.call(Readings.LONG, "GEOADD", key(one), words);
        }, NumericResponse::new);
    }

    @Override
    public Flux<CommandResponse<GeoDistCommand, Distance>> geoDist(Publisher<GeoDistCommand> commands) {
        return calls.each(commands, (to, one) -> new GeoCommands(to).geoDist(key(one), bytes(one.getFrom()),
            bytes(one.getTo()), one.getMetric().orElse(DistanceUnit.METERS)), CommandResponse::new);
    }

    @Override
    public Flux<MultiValueResponse<GeoHashCommand, String>> geoHash(Publisher<GeoHashCommand> commands) {
        return calls.each(commands, (to, one) -> new GeoCommands(to).geoHash(key(one), arrays(one.getMembers())),
            MultiValueResponse::new);
    }

    @Override
    public Flux<MultiValueResponse<GeoPosCommand, Point>> geoPos(Publisher<GeoPosCommand> commands) {
        return calls.each(commands, (to, one) -> new GeoCommands(to).geoPos(key(one), arrays(one.getMembers())),
            MultiValueResponse::new);
    }

    @Override
    public Flux<CommandResponse<GeoRadiusCommand, Flux<GeoResult<GeoLocation<ByteBuffer>>>>> geoRadius(
            Publisher<GeoRadiusCommand> commands) {
        return ReactiveCalls.many(commands, one -> {
            expectNotStored(one.getStore().isPresent() || one.getStoreDist().isPresent());
            return places(to -> new GeoCommands(to).geoRadius(key(one), new Circle(one.getPoint(), one.getDistance()),
                one.getArgs().orElse(GeoRadiusCommandArgs.newGeoRadiusArgs())));
        });
    }

    @Override
    public Flux<CommandResponse<GeoRadiusByMemberCommand, Flux<GeoResult<GeoLocation<ByteBuffer>>>>> geoRadiusByMember(
            Publisher<GeoRadiusByMemberCommand> commands) {
        return ReactiveCalls.many(commands, one -> {
            expectNotStored(one.getStore().isPresent() || one.getStoreDist().isPresent());
            return places(to -> new GeoCommands(to).geoRadiusByMember(key(one), bytes(one.getMember()),
                one.getDistance(), one.getArgs().orElse(GeoRadiusCommandArgs.newGeoRadiusArgs())));
        });
    }

    private static void expectNotStored(boolean stored) {
        if (stored) {
            throw new UnsupportedOperationException("GEORADIUS with STORE: use geoSearchStore");
        }
    }

    @Override
    public Flux<CommandResponse<GeoSearchCommand, Flux<GeoResult<GeoLocation<ByteBuffer>>>>> geoSearch(
            Publisher<GeoSearchCommand> commands) {
        return ReactiveCalls.many(commands, one -> places(to -> new GeoCommands(to).geoSearch(key(one),
            from(one.getReference()), one.getShape(),
            one.getArgs().orElse(GeoSearchCommandArgs.newGeoSearchArgs()))));
    }

    @Override
    public Flux<NumericResponse<GeoSearchStoreCommand, Long>> geoSearchStore(
            Publisher<GeoSearchStoreCommand> commands) {
        return calls.each(commands, (to, one) -> new GeoCommands(to).geoSearchStore(bytes(one.getDestKey()), key(one),
            from(one.getReference()), one.getShape(),
            one.getArgs().orElse(GeoSearchStoreCommandArgs.newGeoSearchStoreArgs())), NumericResponse::new);
    }

    private static GeoReference<byte[]> from(GeoReference<ByteBuffer> from) {
        if (from instanceof GeoReference.GeoMemberReference<ByteBuffer> member) {
            return GeoReference.fromMember(bytes(member.getMember()));
        } else if (from instanceof GeoReference.GeoCoordinateReference<ByteBuffer> place) {
            return GeoReference.fromCoordinate(place.getLongitude(), place.getLatitude());
        }
        throw new IllegalArgumentException("expected a member or coordinates to search from, found " + from);
    }

    private Flux<GeoResult<GeoLocation<ByteBuffer>>> places(
            java.util.function.Function<Calls, GeoResults<GeoLocation<byte[]>>> call) {
        return calls.mono(call).flatMapIterable(GeoResults::getContent).map(one -> new GeoResult<>(new GeoLocation<>(
            Buffers.wrap(one.getContent().getName()), one.getContent().getPoint()), one.getDistance()));
    }
}
