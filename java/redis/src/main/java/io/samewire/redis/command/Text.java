package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;

/**
 * What becomes of the texts of a reply: values, members, elements, keys and fields. Commands read them as
 * {@link #STRING}; {@code as} gives the same command with another one: {@code Strings.get("key").as(Text.BYTES)}.
 *
 * <p>A text of your own must read exactly one element: {@code in -> codec.decode(in.readBytes())}.
 *
 * @param <V> the type of a text
 */
@FunctionalInterface
public interface Text<V> extends Reading<V> {
    /** UTF-8; a text that is not valid UTF-8 fails with {@code bad_utf8}. */
    Text<String> STRING = ReplyReader::readString;

    /** UTF-8; what is not valid is replaced by U+FFFD. */
    Text<String> LENIENT = Replies::lenient;

    /** The bytes as they are. */
    Text<byte[]> BYTES = ReplyReader::readBytes;

    /**
     * The bytes as they are, as a value that is equal to another one with the same bytes: for sets and keys of maps.
     */
    Text<Bytes> BINARY = in -> {
        byte[] bytes = in.readBytes();
        return bytes == null ? null : Bytes.wrap(bytes);
    };
}
