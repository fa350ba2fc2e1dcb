package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.OptionalLong;

/**
 * A consumer of a group of a stream.
 *
 * @param name its name
 * @param pending how many entries it has not acknowledged
 * @param idle milliseconds since it last tried to read
 * @param inactive milliseconds since it last got an entry, empty from servers older than 7.2
 */
public record StreamConsumer(String name, long pending, long idle, OptionalLong inactive) {
    static StreamConsumer read(ReplyReader in) {
        String name = "";
        long pending = 0;
        long idle = 0;
        OptionalLong inactive = OptionalLong.empty();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "name" -> name = in.readString();
                case "pending" -> pending = in.readLong();
                case "idle" -> idle = in.readLong();
                case "inactive" -> inactive = Replies.optionalLong(in);
                default -> in.skip();
            }
        }
        return new StreamConsumer(name, pending, idle, inactive);
    }
}
