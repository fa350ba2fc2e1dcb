package io.samewire.bridge.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Messages in the notation of {@code spec/vectors/README.md}. */
final class MessageNotation {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final HexFormat HEX = HexFormat.of();
    private static final Map<Integer, String> NAMES = Map.ofEntries(Map.entry(Messages.HELLO, "hello"),
        Map.entry(Messages.WELCOME, "welcome"), Map.entry(Messages.REFUSED, "refused"),
        Map.entry(Messages.CALL, "call"), Map.entry(Messages.FIRST_CALL, "first call"),
        Map.entry(Messages.BATCH, "batch"), Map.entry(Messages.NOTHING, "nothing"),
        Map.entry(Messages.RETURN, "return"), Map.entry(Messages.FIRST_RETURN, "first return"),
        Map.entry(Messages.THROW, "throw"), Map.entry(Messages.BATCH_RETURN, "batch return"),
        Map.entry(Messages.BLOB, "blob"), Map.entry(Messages.RELEASE, "release"),
        Map.entry(Messages.INTERRUPT, "interrupt"), Map.entry(Messages.PING, "ping"),
        Map.entry(Messages.PONG, "pong"), Map.entry(Messages.BYE, "bye"), Map.entry(Messages.MORE, "more"));

    /** The kinds of the site that calls and returns without a definition are of. */
    record Site(List<Kind> arguments, Kind result) {
        static Site of(JsonNode given) {
            List<Kind> kinds = new ArrayList<>();
            given.path("arguments").forEach(kind -> kinds.add(Kind.parse(kind.textValue())));
            return new Site(kinds, Kind.parse(given.path("result").asText("void")));
        }
    }

    private final Site site;

    MessageNotation(Site site) {
        this.site = site;
    }

    private static SamewireException malformed(int at) {
        return new SamewireException(Code.MALFORMED, at, null, "malformed");
    }

    /** Reads a number from {@code least} on and of less than so many bits. */
    private static String number(Input in, long least, int bits) {
        int from = in.at();
        long number = in.varint();
        if (Long.compareUnsigned(number, least) < 0 || bits < 64 && number >>> bits != 0) {
            throw malformed(from);
        }
        return Long.toUnsignedString(number);
    }

    private static String code(Input in) {
        int from = in.at();
        String code = in.name();
        if (Arrays.stream(Code.values()).noneMatch(known -> known.toString().equals(code))) {
            throw malformed(from);
        }
        return code;
    }

    private static ArrayNode names(Input in) {
        ArrayNode names = JSON.arrayNode();
        for (int left = in.count(); left > 0; left--) {
            names.add(in.name());
        }
        return names;
    }

    private static String raw(Input in, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = in.i8();
        }
        return HEX.formatHex(bytes);
    }

    /** Reads a whole message. */
    JsonNode read(Input in) {
        int at = in.at();
        String name = NAMES.get(in.u8());
        if (name == null) {
            throw malformed(at);
        }
        JsonNode body = body(in, name);
        in.finish();
        return JSON.objectNode().set(name, body);
    }

    private JsonNode body(Input in, String name) {
        return switch (name) {
            case "hello" -> hello(in);
            case "welcome" -> welcome(in);
            case "refused", "bye" -> JSON.objectNode().put("code", code(in)).put("text", in.name());
            case "call", "first call" -> call(in, name.equals("first call"));
            case "return" -> Notation.read(in, site.result());
            case "first return" -> {
                int from = in.at();
                Kind kind = Kind.parseResult(in.name(), from);
                yield JSON.objectNode().put("kind", kind.text()).set("value", Notation.read(in, kind));
            }
            case "throw" -> {
                ObjectNode body = JSON.objectNode();
                body.set("object", Notation.reference(in, Kind.parse("object")));
                body.put("type", in.name());
                int from = in.at();
                String code = in.name();
                if (!code.isEmpty()) {
                    in.at(from);
                    code = code(in);
                }
                body.put("code", code).set("message", Notation.read(in, Kind.parse("option<string>")));
                yield body.set("trace", Notation.read(in, Kind.parse("string")));
            }
            case "batch", "batch return" -> batch(in, name.equals("batch"));
            case "blob" -> JSON.textNode(raw(in, Math.max(1, in.remaining())));
            case "release" -> {
                ArrayNode pairs = JSON.arrayNode();
                for (int left = in.entries(); left > 0; left--) {
                    pairs.add(JSON.arrayNode().add(number(in, 1, 60)).add(number(in, 1, 64)));
                }
                yield pairs;
            }
            case "interrupt" -> JSON.textNode(number(in, 0, 32));
            case "ping", "pong" -> JSON.textNode(Long.toUnsignedString(in.i64()));
            default -> NullNode.instance;
        };
    }

    private JsonNode call(Input in, boolean first) {
        ObjectNode body = JSON.objectNode().put("site", number(in, first ? 0 : 1, 16));
        List<Kind> kinds = site.arguments();
        if (first) {
            Definition definition = Definition.read(in);
            kinds = definition.arguments();
            ObjectNode of = body.putObject("definition").put("action", definition.action());
            of.put("class", definition.className()).put("member", definition.member());
            ArrayNode texts = of.putArray("arguments");
            kinds.forEach(kind -> texts.add(kind.text()));
            of.put("result", definition.result());
        }
        ArrayNode values = body.putArray("arguments");
        kinds.forEach(kind -> values.add(Notation.read(in, kind)));
        return body;
    }

    private JsonNode batch(Input in, boolean calls) {
        ArrayNode parts = JSON.arrayNode();
        in.source(null);
        for (int left = in.elements(); left > 0; left--) {
            long length = in.varint();
            int from = in.at();
            if (length < 0 || length > in.remaining()) {
                throw new SamewireException(Code.TRUNCATED, from + in.remaining(), null, "the part is cut");
            }
            int least = calls ? Messages.CALL : Messages.NOTHING;
            int most = calls ? Messages.FIRST_CALL : Messages.THROW;
            int outer = in.enterMessage((int) length);
            int first = length == 0 ? -1 : in.u8();
            in.at(from);
            if (first < least || first > most) {
                throw malformed(from);
            }
            try {
                parts.add(read(in));
            } catch (SamewireException wrong) {
                // Offsets of a part are counted from its own start.
                throw new SamewireException(wrong.code(), wrong.at() - from, null, wrong.getMessage());
            }
            in.leaveMessage(outer);
        }
        return parts;
    }

    private static void version(Input in) {
        int from = in.at();
        if (in.u16() != 1) {
            throw new SamewireException(Code.UNSUPPORTED, from, null, "another version");
        }
    }

    private static ArrayNode records(Input in) {
        ArrayNode records = JSON.arrayNode();
        for (int left = in.count(); left > 0; left--) {
            records.add(JSON.arrayNode().add(in.name()).add(raw(in, Long.BYTES)));
        }
        return records;
    }

    private static byte[] session(Input in, int... lengths) {
        int from = in.at();
        in.source(null);
        byte[] session = in.bytes();
        if (IntStream.of(lengths).noneMatch(length -> length == session.length)) {
            throw malformed(from);
        }
        return session;
    }

    private static JsonNode hello(Input in) {
        if (in.at() + in.remaining() > Messages.HELLO_BYTES) {
            throw new SamewireException(Code.LIMIT_SIZE, 0, null, "too long");
        }
        version(in);
        in.source(null);
        ObjectNode body = JSON.objectNode().put("role", Notation.below(in, 3));
        body.put("token", HEX.formatHex(in.bytes()));
        body.put("session", HEX.formatHex(switch (body.get("role").intValue()) {
            case 0 -> session(in, 0);
            case 1 -> session(in, 16, 20);
            default -> session(in, 16);
        }));
        body.put("language", in.name()).put("process", Long.toUnsignedString(in.i64())).set("wants", names(in));
        body.set("records", records(in));
        body.set("ring", NullNode.instance);
        if (in.bool()) {
            ObjectNode ring = body.putObject("ring").put("path", in.name());
            int from = in.at();
            int capacity = in.i32();
            if (Integer.bitCount(capacity) != 1 || capacity < 1 << 16 || capacity > 1 << 24) {
                throw malformed(from);
            }
            ring.put("capacity", Integer.toString(capacity)).put("generation", Long.toUnsignedString(in.i64()));
        }
        return body;
    }

    private static JsonNode welcome(Input in) {
        version(in);
        ObjectNode body = JSON.objectNode().put("session", HEX.formatHex(session(in, 16)));
        body.put("channel", Integer.toUnsignedString(in.i32())).put("language", in.name());
        body.put("process", Long.toUnsignedString(in.i64())).set("takes", names(in));
        body.set("records", records(in));
        int from = in.at();
        int frameBytes = in.i32();
        if (frameBytes == 0) {
            throw malformed(from);
        }
        return body.put("frame_bytes", Integer.toUnsignedString(frameBytes)).put("ring", in.bool());
    }

    /** Writes a whole message, without a frame around it. */
    void write(JsonNode message, Output out) {
        String name = message.fieldNames().next();
        JsonNode body = message.get(name);
        NAMES.forEach((number, text) -> {
            if (text.equals(name)) {
                out.u8(number);
            }
        });
        switch (name) {
            case "hello" -> writeHello(body, out);
            case "welcome" -> writeWelcome(body, out);
            case "refused", "bye" -> {
                out.string(body.get("code").textValue());
                out.string(body.get("text").textValue());
            }
            case "call", "first call" -> writeCall(body, out);
            case "return" -> Notation.write(body, site.result(), out);
            case "first return" -> {
                out.string(body.get("kind").textValue());
                Notation.write(body.get("value"), Kind.parse(body.get("kind").textValue()), out);
            }
            case "throw" -> {
                Notation.writeReference(body.get("object"), out);
                out.string(body.get("type").textValue());
                out.string(body.get("code").textValue());
                Notation.write(body.get("message"), Kind.parse("option<string>"), out);
                Notation.write(body.get("trace"), Kind.parse("string"), out);
            }
            case "batch", "batch return" -> {
                out.varint(body.size());
                for (JsonNode part : body) {
                    Output inner = VectorsTest.output();
                    write(part, inner);
                    out.varint(inner.length());
                    out.raw(inner.array(), 0, inner.length());
                }
            }
            case "blob" -> writeRaw(body.textValue(), out);
            case "release" -> {
                out.varint(body.size());
                body.forEach(pair -> pair.forEach(part -> out.varint(Long.parseUnsignedLong(part.textValue()))));
            }
            case "interrupt" -> out.varint(Long.parseLong(body.textValue()));
            case "ping", "pong" -> out.i64(Long.parseUnsignedLong(body.textValue()));
            default -> { }
        }
    }

    private static void writeRaw(String hex, Output out) {
        byte[] bytes = HEX.parseHex(hex);
        out.raw(bytes, 0, bytes.length);
    }

    private void writeCall(JsonNode body, Output out) {
        out.varint(Long.parseLong(body.get("site").textValue()));
        List<Kind> kinds = site.arguments();
        if (body.has("definition")) {
            JsonNode of = body.get("definition");
            kinds = new ArrayList<>();
            for (JsonNode kind : of.get("arguments")) {
                kinds.add(Kind.parse(kind.textValue()));
            }
            new Definition(of.get("action").intValue(), of.get("class").textValue(), of.get("member").textValue(),
                kinds, of.get("result").textValue()).write(out);
        }
        for (int i = 0; i < kinds.size(); i++) {
            Notation.write(body.get("arguments").get(i), kinds.get(i), out);
        }
    }

    private static void writeNames(JsonNode names, Output out) {
        out.varint(names.size());
        names.forEach(name -> out.string(name.textValue()));
    }

    private static void writeRecords(JsonNode records, Output out) {
        out.varint(records.size());
        for (JsonNode pair : records) {
            out.string(pair.get(0).textValue());
            writeRaw(pair.get(1).textValue(), out);
        }
    }

    private static void writeHello(JsonNode body, Output out) {
        out.inline(true);
        out.i16(1);
        out.u8(body.get("role").intValue());
        out.bytes(HEX.parseHex(body.get("token").textValue()));
        out.bytes(HEX.parseHex(body.get("session").textValue()));
        out.string(body.get("language").textValue());
        out.i64(Long.parseUnsignedLong(body.get("process").textValue()));
        writeNames(body.get("wants"), out);
        writeRecords(body.get("records"), out);
        JsonNode ring = body.get("ring");
        out.bool(!ring.isNull());
        if (!ring.isNull()) {
            out.string(ring.get("path").textValue());
            out.i32(Integer.parseInt(ring.get("capacity").textValue()));
            out.i64(Long.parseUnsignedLong(ring.get("generation").textValue()));
        }
    }

    private static void writeWelcome(JsonNode body, Output out) {
        out.i16(1);
        out.bytes(HEX.parseHex(body.get("session").textValue()));
        out.i32(Integer.parseUnsignedInt(body.get("channel").textValue()));
        out.string(body.get("language").textValue());
        out.i64(Long.parseUnsignedLong(body.get("process").textValue()));
        writeNames(body.get("takes"), out);
        writeRecords(body.get("records"), out);
        out.i32(Integer.parseUnsignedInt(body.get("frame_bytes").textValue()));
        out.bool(body.get("ring").booleanValue());
    }
}
