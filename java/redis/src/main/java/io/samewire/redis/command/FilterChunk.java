package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * A part of a filter, from which another server restores it.
 *
 * @param cursor what restores this part, and what the next one is asked for with; 0 behind the last part
 * @param data the part
 */
public record FilterChunk(long cursor, Bytes data) {
    static FilterChunk read(ReplyReader in) {
        int count = Replies.begin(in, 2);
        long cursor = in.readLong();
        byte[] data = in.readBytes();
        Replies.end(in, count, 2);
        return new FilterChunk(cursor, Bytes.wrap(data == null ? new byte[0] : data));
    }
}
