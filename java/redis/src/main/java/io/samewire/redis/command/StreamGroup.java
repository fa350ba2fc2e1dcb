package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.OptionalLong;

/**
 * A group of consumers of a stream.
 *
 * @param name its name
 * @param consumers how many consumers it has
 * @param pending how many entries are not acknowledged
 * @param lastDeliveredId the id of the latest entry that was delivered
 * @param entriesRead how many entries were delivered, if the server knows
 * @param lag how many entries are not delivered yet, if the server knows
 */
public record StreamGroup(String name, long consumers, long pending, String lastDeliveredId,
        OptionalLong entriesRead, OptionalLong lag) {
    static StreamGroup read(ReplyReader in) {
        String name = "";
        long consumers = 0;
        long pending = 0;
        String lastDeliveredId = "";
        OptionalLong entriesRead = OptionalLong.empty();
        OptionalLong lag = OptionalLong.empty();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "name" -> name = in.readString();
                case "consumers" -> consumers = in.readLong();
                case "pending" -> pending = in.readLong();
                case "last-delivered-id" -> lastDeliveredId = in.readString();
                case "entries-read" -> entriesRead = Replies.optionalLong(in);
                case "lag" -> lag = Replies.optionalLong(in);
                default -> in.skip();
            }
        }
        return new StreamGroup(name, consumers, pending, lastDeliveredId, entriesRead, lag);
    }
}
