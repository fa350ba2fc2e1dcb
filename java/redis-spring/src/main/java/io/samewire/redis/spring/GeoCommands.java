package io.samewire.redis.spring;

import static io.samewire.redis.spring.Arguments.when;

import io.samewire.redis.command.Reading;
import io.samewire.redis.resp.ReplyReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.data.geo.Circle;
import org.springframework.data.geo.Distance;
import org.springframework.data.geo.GeoResult;
import org.springframework.data.geo.GeoResults;
import org.springframework.data.geo.Metric;
import org.springframework.data.geo.Metrics;
import org.springframework.data.geo.Point;
import org.springframework.data.redis.connection.RedisGeoCommands;
import org.springframework.data.redis.domain.geo.BoxShape;
import org.springframework.data.redis.domain.geo.GeoReference;
import org.springframework.data.redis.domain.geo.GeoShape;
import org.springframework.data.redis.domain.geo.RadiusShape;

/** Commands of places. */
final class GeoCommands implements RedisGeoCommands {
    /** Without options there are no distances, and no unit of theirs. */
    private static final Reading<GeoResults<GeoLocation<byte[]>>> MEMBERS = in -> new GeoResults<>(
        Readings.<GeoResult<GeoLocation<byte[]>>>list(one -> new GeoResult<>(new GeoLocation<>(one.readBytes(), null),
            new Distance(0))).read(in));

    private final Calls calls;

    GeoCommands(Calls calls) {
        this.calls = calls;
    }

    @Override
    public Long geoAdd(byte[] key, Point at, byte[] member) {
        return calls.call(Readings.LONG, "GEOADD", key, at.getX(), at.getY(), member);
    }

    @Override
    public Long geoAdd(byte[] key, Map<byte[], Point> members) {
        List<Object> words = new ArrayList<>();
        members.forEach((member, at) -> words.add(List.of(at.getX(), at.getY(), member)));
        return calls.call(Readings.LONG, "GEOADD", key, words);
    }

    @Override
    public Long geoAdd(byte[] key, Iterable<GeoLocation<byte[]>> members) {
        List<Object> words = new ArrayList<>();
        members.forEach(one -> words.add(List.of(one.getPoint().getX(), one.getPoint().getY(), one.getName())));
        return calls.call(Readings.LONG, "GEOADD", key, words);
    }

    @Override
    public Distance geoDist(byte[] key, byte[] from, byte[] to) {
        return geoDist(key, from, to, DistanceUnit.METERS);
    }

    @Override
    public Distance geoDist(byte[] key, byte[] from, byte[] to, Metric metric) {
        return calls.call(in -> Readings.isNull(in) ? null : new Distance(in.readDouble(), metric), "GEODIST", key,
            from, to, unit(metric));
    }

    @Override
    public List<String> geoHash(byte[] key, byte[]... members) {
        return calls.call(Readings.STRINGS, "GEOHASH", key, members);
    }

    @Override
    public List<Point> geoPos(byte[] key, byte[]... members) {
        return calls.call(Readings.list(GeoCommands::point), "GEOPOS", key, members);
    }

    private static Point point(ReplyReader in) {
        return Readings.isNull(in) ? null
            : Readings.array(in, 2, place -> new Point(place.readDouble(), place.readDouble()));
    }

    @Override
    public Long geoRemove(byte[] key, byte[]... members) {
        return calls.call(Readings.LONG, "ZREM", key, members);
    }

    @Override
    public GeoResults<GeoLocation<byte[]>> geoRadius(byte[] key, Circle within) {
        return calls.call(MEMBERS, "GEORADIUS_RO", key, within.getCenter().getX(), within.getCenter().getY(),
            within.getRadius().getValue(), unit(within.getRadius().getMetric()));
    }

    @Override
    public GeoResults<GeoLocation<byte[]>> geoRadius(byte[] key, Circle within, GeoRadiusCommandArgs options) {
        Metric metric = within.getRadius().getMetric();
        return calls.call(results(options, metric), "GEORADIUS_RO", key, within.getCenter().getX(),
            within.getCenter().getY(), within.getRadius().getValue(), unit(metric), words(options));
    }

    @Override
    public GeoResults<GeoLocation<byte[]>> geoRadiusByMember(byte[] key, byte[] member, Distance radius) {
        return calls.call(MEMBERS, "GEORADIUSBYMEMBER_RO", key, member, radius.getValue(), unit(radius.getMetric()));
    }

    @Override
    public GeoResults<GeoLocation<byte[]>> geoRadiusByMember(byte[] key, byte[] member, Distance radius,
            GeoRadiusCommandArgs options) {
        return calls.call(results(options, radius.getMetric()), "GEORADIUSBYMEMBER_RO", key, member,
            radius.getValue(), unit(radius.getMetric()), words(options));
    }

    @Override
    public GeoResults<GeoLocation<byte[]>> geoSearch(byte[] key, GeoReference<byte[]> from, GeoShape shape,
            GeoSearchCommandArgs options) {
        return calls.call(results(options, shape.getMetric()), "GEOSEARCH", key, words(from), words(shape),
            words(options));
    }

    @Override
    public Long geoSearchStore(byte[] into, byte[] key, GeoReference<byte[]> from, GeoShape shape,
            GeoSearchStoreCommandArgs options) {
        return calls.call(Readings.LONG, "GEOSEARCHSTORE", into, key, words(from), words(shape), words(options));
    }

    private static String unit(Metric metric) {
        String unit = metric.getAbbreviation();
        return unit == null || unit.isEmpty() ? DistanceUnit.METERS.getAbbreviation() : unit;
    }

    private static List<Object> words(GeoReference<byte[]> from) {
        if (from instanceof GeoReference.GeoMemberReference<byte[]> member) {
            return List.of("FROMMEMBER", member.getMember());
        } else if (from instanceof GeoReference.GeoCoordinateReference<byte[]> place) {
            return List.of("FROMLONLAT", place.getLongitude(), place.getLatitude());
        }
        throw new IllegalArgumentException("expected a member or coordinates to search from, found " + from);
    }

    private static List<Object> words(GeoShape shape) {
        if (shape instanceof RadiusShape circle) {
            return List.of("BYRADIUS", circle.getRadius().getValue(), unit(circle.getMetric()));
        } else if (shape instanceof BoxShape box) {
            return List.of("BYBOX", box.getBoundingBox().getWidth().getValue(),
                box.getBoundingBox().getHeight().getValue(), unit(box.getMetric()));
        }
        throw new IllegalArgumentException("expected a radius or a box to search in, found " + shape);
    }

    private static List<Object> words(GeoCommandArgs options) {
        boolean any = has(options, "ANY");
        return List.of(when(has(options, "WITHCOORD"), "WITHCOORD"), when(has(options, "WITHDIST"), "WITHDIST"),
            options.hasLimit() ? List.of("COUNT", options.getLimit(), when(any, "ANY")) : List.of(),
            options.hasSortDirection() ? options.getSortDirection() : List.of(),
            when(has(options, "STOREDIST"), "STOREDIST"));
    }

    private static boolean has(GeoCommandArgs options, String flag) {
        return options.getFlags().stream().anyMatch(one -> one.toString().equals(flag));
    }

    private static Reading<GeoResults<GeoLocation<byte[]>>> results(GeoCommandArgs options, Metric metric) {
        boolean distances = has(options, "WITHDIST");
        boolean places = has(options, "WITHCOORD");
        Metric unit = metric == Metrics.NEUTRAL ? DistanceUnit.METERS : metric;
        int elements = 1 + (distances ? 1 : 0) + (places ? 1 : 0);
        Reading<GeoResult<GeoLocation<byte[]>>> result = one -> {
            byte[] member = one.readBytes();
            Distance distance = new Distance(distances ? one.readDouble() : 0, unit);
            Point at = places ? point(one) : null;
            return new GeoResult<>(new GeoLocation<>(member, at), distance);
        };
        return in -> new GeoResults<>(Readings.list(elements == 1 ? result
            : one -> Readings.array(one, elements, result)).read(in), unit);
    }
}
