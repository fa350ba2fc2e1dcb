package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.time.Instant;
import java.util.List;

/**
 * A command of a log: a slow one, or one with a large request or reply.
 *
 * @param id its number
 * @param time when it ran, to the second
 * @param amount microseconds that it took, or bytes of its request or reply
 * @param arguments its name and arguments, shortened by the server; malformed UTF-8 is replaced
 * @param address the client's address, empty from servers older than 4
 * @param client the client's name, empty if it has none
 */
public record LoggedCommand(long id, Instant time, long amount, List<String> arguments, String address, String client) {
    static LoggedCommand read(ReplyReader in) {
        int count = Replies.begin(in, 4);
        long id = in.readLong();
        Instant time = Replies.seconds(in);
        long amount = in.readLong();
        List<String> arguments = Replies.list(in, Replies::lenient);
        String address = count > 4 ? in.readString() : "";
        String client = count > 5 ? in.readString() : "";
        Replies.end(in, count, 6);
        return new LoggedCommand(id, time, amount, arguments, address, client);
    }
}
