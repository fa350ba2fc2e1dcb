package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * A place on the Earth, in degrees.
 *
 * @param longitude -180 to 180
 * @param latitude about -85.05 to 85.05
 */
public record GeoPosition(double longitude, double latitude) {
    static GeoPosition read(ReplyReader in) {
        int count = Replies.begin(in, 2);
        double longitude = in.readDouble();
        double latitude = in.readDouble();
        Replies.end(in, count, 2);
        return new GeoPosition(longitude, latitude);
    }
}
