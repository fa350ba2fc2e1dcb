package io.samewire.redis.resp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.HexFormat;
import java.util.List;

/** Replies in the notation of {@code spec/vectors/README.md}. */
final class Notation {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final HexFormat HEX = HexFormat.of();

    private Notation() {}

    static JsonNode of(Reply reply) {
        return switch (reply.type()) {
            case NULL -> NullNode.instance;
            case INTEGER -> one("integer", Long.toString(((Reply.Integer) reply).value()));
            case DOUBLE -> one("double",
                HEX.toHexDigits(Double.doubleToLongBits(((Reply.Double) reply).value())));
            case BOOLEAN -> JSON.booleanNode(((Reply.Boolean) reply).value());
            case BIG_NUMBER -> one("big", ((Reply.BigNumber) reply).digits());
            case ERROR -> one("error", HEX.formatHex(((Reply.Error) reply).bytes()));
            case SIMPLE -> one("simple", HEX.formatHex(((Reply.Text) reply).bytes()));
            case BULK -> one("bulk", HEX.formatHex(((Reply.Text) reply).bytes()));
            case VERBATIM -> {
                Reply.Text text = (Reply.Text) reply;
                yield JSON.objectNode().set("verbatim", JSON.arrayNode()
                    .add(HEX.formatHex(text.format().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)))
                    .add(HEX.formatHex(text.bytes())));
            }
            case ARRAY, SET, PUSH -> JSON.objectNode().set(reply.type().name().toLowerCase(java.util.Locale.ROOT),
                all(((Reply.Array) reply).elements()));
            case MAP -> {
                ArrayNode entries = JSON.arrayNode();
                Reply.Map map = (Reply.Map) reply;
                for (int i = 0; i < map.size(); i++) {
                    entries.add(JSON.arrayNode().add(of(map.key(i))).add(of(map.value(i))));
                }
                yield JSON.objectNode().set("map", entries);
            }
        };
    }

    private static JsonNode one(String name, String value) {
        return JSON.objectNode().put(name, value);
    }

    private static ArrayNode all(List<Reply> replies) {
        ArrayNode nodes = JSON.arrayNode();
        replies.forEach(reply -> nodes.add(of(reply)));
        return nodes;
    }
}
