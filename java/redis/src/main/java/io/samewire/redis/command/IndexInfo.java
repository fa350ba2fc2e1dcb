package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import io.samewire.redis.resp.ReplyType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What the server knows of an index. {@code Commands.of("FT.INFO", index)} returns all that it replies.
 *
 * @param name its name
 * @param keyType {@code HASH} or {@code JSON}
 * @param prefixes how keys begin that are indexed
 * @param fields its fields
 * @param documents how many documents it has
 * @param terms how many different words
 * @param records how many entries
 * @param failures how many documents could not be indexed
 * @param isIndexing whether documents that were there before are still being indexed
 * @param share which share of them is indexed, 0 to 1
 */
public record IndexInfo(String name, String keyType, List<String> prefixes, List<Attribute> fields, long documents,
        long terms, long records, long failures, boolean isIndexing, double share) {
    /** Words of RESP2 that have no value behind them; RESP3 sends them as an array. */
    private static final Set<String> FLAGS = Set.of("SORTABLE", "UNF", "NOINDEX", "NOSTEM", "WITHSUFFIXTRIE",
        "CASESENSITIVE", "INDEXEMPTY", "INDEXMISSING");

    /** Values of options that only newer servers have. */
    private static final Set<ReplyType> NESTED = Set.of(ReplyType.ARRAY, ReplyType.MAP, ReplyType.SET, ReplyType.NULL);

    /**
     * A field of an index.
     *
     * @param identifier the field of hashes, or the path in documents of JSON
     * @param name the name that queries use
     * @param type {@code TEXT}, {@code NUMERIC}, {@code TAG}, …
     * @param options what it has with a value: {@code WEIGHT}, {@code SEPARATOR}, {@code dim}
     * @param flags what it has without one: {@code SORTABLE}
     */
    public record Attribute(String identifier, String name, String type, Map<String, String> options,
            List<String> flags) { }

    static IndexInfo read(ReplyReader in) {
        String name = "";
        String keyType = "";
        List<String> prefixes = List.of();
        List<Attribute> fields = List.of();
        long[] counts = new long[4];
        boolean isIndexing = false;
        double share = 1;
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "index_name" -> name = Replies.text(in, "the name of an index");
                case "index_definition" -> {
                    for (int j = Replies.beginMap(in); j > 0; j--) {
                        switch (Replies.name(in)) {
                            case "key_type" -> keyType = Replies.text(in, "HASH or JSON");
                            case "prefixes" -> prefixes = Replies.list(in, Text.STRING);
                            default -> in.skip();
                        }
                    }
                }
                case "attributes" -> fields = Replies.list(in, IndexInfo::attribute);
                case "num_docs" -> counts[0] = count(in);
                case "num_terms" -> counts[1] = count(in);
                case "num_records" -> counts[2] = count(in);
                case "hash_indexing_failures" -> counts[3] = count(in);
                case "indexing" -> isIndexing = in.readDouble() != 0;
                case "percent_indexed" -> share = in.readDouble();
                default -> in.skip();
            }
        }
        return new IndexInfo(name, keyType, prefixes, fields, counts[0], counts[1], counts[2], counts[3], isIndexing,
            share);
    }

    private static Attribute attribute(ReplyReader in) {
        boolean map = in.type() == ReplyType.MAP;
        Map<String, String> said = new LinkedHashMap<>();
        List<String> flags = new ArrayList<>();
        int left = map ? in.beginMap() : Replies.begin(in, 1);
        while (left > 0) {
            String word = Replies.name(in);
            left--;
            if (map && word.equals("flags")) {
                flags = Replies.list(in, Text.STRING);
            } else if (!map && (FLAGS.contains(word) || left == 0)) {
                flags.add(word);
            } else {
                if (NESTED.contains(in.type())) {
                    in.skip();
                } else {
                    said.put(word, in.readString());
                }
                left -= map ? 0 : 1;
            }
        }
        return new Attribute(taken(said, "identifier"), taken(said, "attribute"), taken(said, "type"), said, flags);
    }

    private static String taken(Map<String, String> said, String word) {
        return Objects.requireNonNullElse(said.remove(word), "");
    }

    private static long count(ReplyReader in) {
        double count = in.readDouble();
        if (!(Math.abs(count) < 1L << 62)) {
            throw Replies.mismatch("a count", Double.toString(count));
        }
        return (long) count;
    }
}
