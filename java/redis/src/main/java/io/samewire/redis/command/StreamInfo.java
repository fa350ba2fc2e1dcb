package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.Optional;

/**
 * What the server knows of a stream.
 *
 * @param length how many entries it has
 * @param radixTreeKeys keys of the tree that holds them
 * @param radixTreeNodes nodes of that tree
 * @param groups how many groups it has
 * @param lastGeneratedId the latest id that was made
 * @param maxDeletedEntryId the greatest id that was deleted; empty from servers older than 7
 * @param entriesAdded how many entries were ever added; 0 from servers older than 7
 * @param recordedFirstEntryId the id of the first entry; empty from servers older than 7
 * @param firstEntry the first entry, empty if there is none
 * @param lastEntry the last entry, empty if there is none
 */
public record StreamInfo<K, V>(long length, long radixTreeKeys, long radixTreeNodes, long groups,
        String lastGeneratedId, String maxDeletedEntryId, long entriesAdded, String recordedFirstEntryId,
        Optional<StreamEntry<K, V>> firstEntry, Optional<StreamEntry<K, V>> lastEntry) {
    static <K, V> StreamInfo<K, V> read(ReplyReader in, Reading<K> names, Reading<V> values) {
        long length = 0;
        long radixTreeKeys = 0;
        long radixTreeNodes = 0;
        long groups = 0;
        String lastGeneratedId = "";
        String maxDeletedEntryId = "";
        long entriesAdded = 0;
        String recordedFirstEntryId = "";
        Optional<StreamEntry<K, V>> firstEntry = Optional.empty();
        Optional<StreamEntry<K, V>> lastEntry = Optional.empty();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "length" -> length = in.readLong();
                case "radix-tree-keys" -> radixTreeKeys = in.readLong();
                case "radix-tree-nodes" -> radixTreeNodes = in.readLong();
                case "groups" -> groups = in.readLong();
                case "last-generated-id" -> lastGeneratedId = in.readString();
                case "max-deleted-entry-id" -> maxDeletedEntryId = in.readString();
                case "entries-added" -> entriesAdded = in.readLong();
                case "recorded-first-entry-id" -> recordedFirstEntryId = in.readString();
                case "first-entry" -> firstEntry = Optional.ofNullable(StreamEntry.read(in, names, values));
                case "last-entry" -> lastEntry = Optional.ofNullable(StreamEntry.read(in, names, values));
                default -> in.skip();
            }
        }
        return new StreamInfo<>(length, radixTreeKeys, radixTreeNodes, groups, lastGeneratedId,
            maxDeletedEntryId, entriesAdded, recordedFirstEntryId, firstEntry, lastEntry);
    }
}
