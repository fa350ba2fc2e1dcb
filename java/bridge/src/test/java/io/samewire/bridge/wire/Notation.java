package io.samewire.bridge.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.Arrays;
import java.util.HexFormat;

/** Values in the notation of {@code spec/vectors/README.md}, read by {@link Input}, written by {@link Output}. */
final class Notation {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final HexFormat HEX = HexFormat.of();
    private static final String[] CONTAINERS = {"list", "map"};
    private static final int SCHEMA = 0x31;
    private static final int PEER = 0x32;

    private Notation() {}

    /** Returns the kind of a tag of {@code any}, or null. */
    static Kind tagged(int tag) {
        String[] scalars = {"bool", "i8", "i16", "i32", "i64", "f32", "f64", "char"};
        if (tag >= 0x20 && tag < 0x28) {
            return Kind.parse("array<" + scalars[tag - 0x20] + ">");
        } else if (tag >= 0x10 && tag < 0x14) {
            return Kind.parse("list<" + scalars[tag - 0x0f] + ">");
        }
        return switch (tag) {
            case 0x03 -> Kind.parse("i64");
            case 0x05 -> Kind.parse("f64");
            case 0x06 -> Kind.parse("string");
            case 0x07 -> Kind.parse("bytes");
            case 0x08, 0x09 -> Kind.parse(CONTAINERS[tag - 0x08]);
            case 0x17 -> Kind.parse("list<f32>");
            case 0x18 -> Kind.parse("list<f64>");
            case 0x19 -> Kind.parse("i32");
            case 0x1a -> Kind.parse("list<bool>");
            case 0x1b -> Kind.parse("char");
            case 0x1c -> Kind.parse("set");
            case 0x1d -> Kind.parse("tuple");
            case 0x1e -> Kind.parse("f32");
            case 0x30 -> Kind.parse("object");
            default -> null;
        };
    }

    private static ObjectNode one(String name, JsonNode value) {
        return JSON.objectNode().set(name, value);
    }

    private static ObjectNode one(String name, String value) {
        return one(name, JSON.textNode(value));
    }

    /** Reads a value of a kind. */
    static JsonNode read(Input in, Kind kind) {
        return switch (kind.form()) {
            case VOID, NULL -> NullNode.instance;
            case BOOL -> JSON.booleanNode(in.bool());
            case I8, I16, I32, I64, F32, F64, CHAR -> one(kind.text(), scalar(in, kind));
            case STRING -> text(in.string());
            case BYTES, ROW, PACK -> bulk(in, kind);
            case STRINGS -> {
                ArrayNode texts = JSON.arrayNode();
                Arrays.stream(in.strings()).map(Notation::text).forEach(texts::add);
                yield one(kind.text(), texts);
            }
            case OPTION -> in.present() ? read(in, kind.element()) : NullNode.instance;
            case OBJECT, PEER -> reference(in, kind);
            case RESULT -> one("result", Long.toUnsignedString(in.varint()));
            case ANY -> any(in);
            case LIST, SET, TUPLE, MAP -> container(in, kind, in.at());
            case CLASS -> described(in);
        };
    }

    private static JsonNode scalar(Input in, Kind kind) {
        return switch (kind.form()) {
            case BOOL -> JSON.booleanNode(in.bool());
            case I8 -> JSON.textNode(Byte.toString(in.i8()));
            case I16 -> JSON.textNode(Short.toString(in.i16()));
            case I32 -> JSON.textNode(Integer.toString(in.i32()));
            case I64 -> JSON.textNode(Long.toString(in.i64()));
            case F32 -> JSON.textNode(HEX.toHexDigits(Float.floatToRawIntBits(in.f32())));
            case F64 -> JSON.textNode(HEX.toHexDigits(Double.doubleToRawLongBits(in.f64())));
            default -> JSON.textNode(HEX.toHexDigits(in.character()));
        };
    }

    private static JsonNode text(String text) {
        boolean whole = text.codePoints().noneMatch(point -> point >= 0xd800 && point <= 0xdfff);
        if (whole) {
            return one("string", text);
        }
        StringBuilder units = new StringBuilder();
        text.chars().forEach(unit -> units.append(HEX.toHexDigits((char) unit)));
        return one("units", units.toString());
    }

    private static JsonNode bulk(Input in, Kind kind) {
        int from = in.at();
        int width = kind.form() == Kind.Form.ROW ? kind.element().width() : 1;
        int count = in.row(width);
        if (count < 0) {
            return one("blob", Integer.toString(~count));
        }
        in.at(from);
        if (kind.form() == Kind.Form.BYTES) {
            return one("bytes", HEX.formatHex(in.bytes()));
        } else if (kind.form() == Kind.Form.PACK) {
            return one("pack", JSON.arrayNode().add(kind.text()).add(HEX.formatHex(in.bytes())));
        }
        ArrayNode elements = JSON.arrayNode();
        switch (kind.element().form()) {
            case BOOL -> {
                for (boolean value : in.booleans()) {
                    elements.add(value);
                }
            }
            case I8 -> {
                for (byte value : in.bytes()) {
                    elements.add(Byte.toString(value));
                }
            }
            case I16 -> {
                for (short value : in.shorts()) {
                    elements.add(Short.toString(value));
                }
            }
            case I32 -> Arrays.stream(in.ints()).forEach(value -> elements.add(Integer.toString(value)));
            case I64 -> Arrays.stream(in.longs()).forEach(value -> elements.add(Long.toString(value)));
            case F32 -> {
                for (float value : in.floats()) {
                    elements.add(HEX.toHexDigits(Float.floatToRawIntBits(value)));
                }
            }
            case F64 -> {
                for (double value : in.doubles()) {
                    elements.add(HEX.toHexDigits(Double.doubleToRawLongBits(value)));
                }
            }
            default -> {
                for (char value : in.chars()) {
                    elements.add(HEX.toHexDigits(value));
                }
            }
        }
        return one(kind.text(), elements);
    }

    /** Reads a reference, which a receiver's argument or a callable restricts. */
    static JsonNode reference(Input in, Kind kind) {
        int from = in.at();
        long head = in.reference();
        boolean own = head != 0 && (head & 1) == 0;
        boolean peer = (head & 1) == 1;
        ArrayNode sender = JSON.arrayNode().add(Long.toString(head >>> 1));
        if (peer) {
            sender.add(Integer.toString(in.classNumber()));
        }
        if (kind.number() != 0 && !own || kind.form() == Kind.Form.PEER && !peer) {
            throw new SamewireException(Code.MALFORMED, from, null, "another reference than " + kind);
        }
        return peer ? one("sender", sender) : own ? one("receiver", Long.toString(head >>> 1)) : NullNode.instance;
    }

    private static JsonNode any(Input in) {
        int from = in.at();
        int tag = in.u8();
        if (tag == 0) {
            return NullNode.instance;
        } else if (tag < 3) {
            return JSON.booleanNode(tag == 2);
        }
        Kind kind = tagged(tag);
        if (tag == SCHEMA) {
            int at = in.at();
            kind = Kind.parse(in.name(), at);
            if (kind.form() != Kind.Form.PACK) {
                throw new SamewireException(Code.MALFORMED, at, null, "not a schema");
            }
        } else if (tag == PEER) {
            int at = in.at();
            kind = Kind.parse(in.name(), at);
            if (kind.interfaces().isEmpty()) {
                throw new SamewireException(Code.MALFORMED, at, null, "no interface");
            }
            return one("peer", JSON.arrayNode().add(kind.text()).add(reference(in, kind)));
        } else if (kind == null) {
            throw new SamewireException(Code.MALFORMED, from, null, "no tag");
        }
        if (isContainer(kind)) {
            return container(in, kind, from);
        }
        Blobs blobs = in.source();
        in.source(null);
        JsonNode value = read(in, kind);
        in.source(blobs);
        return value;
    }

    private static boolean isContainer(Kind kind) {
        return kind.form().compareTo(Kind.Form.LIST) >= 0 && kind.form().compareTo(Kind.Form.MAP) <= 0;
    }

    private static JsonNode container(Input in, Kind kind, int offset) {
        in.enterAt(offset);
        ArrayNode elements = JSON.arrayNode();
        if (kind.form() == Kind.Form.MAP) {
            for (int left = in.entries(); left > 0; left--) {
                elements.add(JSON.arrayNode().add(any(in)).add(any(in)));
            }
        } else {
            for (int left = in.elements(); left > 0; left--) {
                elements.add(any(in));
            }
        }
        in.leave();
        return one(kind.text(), elements);
    }

    private static ArrayNode names(Input in) {
        ArrayNode names = JSON.arrayNode();
        for (int left = in.elements(); left > 0; left--) {
            names.add(in.name());
        }
        return names;
    }

    /** Reads a byte with so many meanings. */
    static int below(Input in, int end) {
        int from = in.at();
        int value = in.u8();
        if (value >= end) {
            throw new SamewireException(Code.MALFORMED, from, null, "no such byte");
        }
        return value;
    }

    private static JsonNode described(Input in) {
        if (!in.bool()) {
            return NullNode.instance;
        }
        int from = in.at();
        int number = in.classNumber();
        if (number == 0) {
            throw new SamewireException(Code.MALFORMED, from, null, "no number");
        }
        ObjectNode info = JSON.objectNode().put("number", Integer.toString(number)).put("name", in.name());
        info.put("form", below(in, 7)).put("superclass", in.name()).set("supertypes", names(in));
        info.put("functional", in.name());
        ArrayNode inner = info.putArray("inner");
        for (int left = in.elements(); left > 0; left--) {
            inner.add(JSON.arrayNode().add(in.name()).add(in.name()));
        }
        ArrayNode members = info.putArray("members");
        for (int left = in.elements(); left > 0; left--) {
            ObjectNode member = JSON.objectNode().put("what", below(in, 3)).put("flags", below(in, 32));
            member.put("name", in.name()).set("parameters", names(in));
            members.add(member.put("result", in.name()));
        }
        return one("class", info);
    }

    /** Writes a value of a kind. */
    static void write(JsonNode value, Kind kind, Output out) {
        String name = value.isObject() ? value.fieldNames().next() : "";
        JsonNode inner = value.path(name);
        if (name.equals("blob")) {
            if (kind.form() == Kind.Form.OPTION) {
                out.bool(true);
            }
            out.varint(Long.parseLong(inner.textValue()) << 1 | 1);
            return;
        }
        switch (kind.form()) {
            case VOID, NULL -> { }
            case BOOL, I8, I16, I32, I64, F32, F64, CHAR -> writeScalar(value.isObject() ? inner : value, kind, out);
            case STRING -> out.string(text(value));
            case BYTES -> out.bytes(HEX.parseHex(inner.textValue()));
            case PACK -> out.bytes(HEX.parseHex(inner.get(1).textValue()));
            case ROW -> out.row(row(inner, kind.element()));
            case STRINGS -> {
                String[] texts = new String[inner.size()];
                Arrays.setAll(texts, i -> text(inner.get(i)));
                out.strings(texts);
            }
            case OPTION -> {
                out.bool(!value.isNull());
                if (!value.isNull()) {
                    write(value, kind.element(), out);
                }
            }
            case OBJECT, PEER -> writeReference(value, out);
            case RESULT -> out.varint(Long.parseUnsignedLong(inner.textValue()));
            case ANY -> writeAny(value, out);
            case LIST, SET, TUPLE -> {
                out.varint(inner.size());
                inner.forEach(element -> writeAny(element, out));
            }
            case MAP -> {
                out.varint(inner.size());
                inner.forEach(entry -> entry.forEach(part -> writeAny(part, out)));
            }
            case CLASS -> writeClass(value, out);
        }
    }

    private static String text(JsonNode value) {
        if (value.has("string")) {
            return value.get("string").textValue();
        }
        String units = value.get("units").textValue();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < units.length(); i += 4) {
            text.append((char) HexFormat.fromHexDigits(units, i, i + 4));
        }
        return text.toString();
    }

    private static void writeScalar(JsonNode value, Kind kind, Output out) {
        switch (kind.form()) {
            case BOOL -> out.bool(value.booleanValue());
            case I8 -> out.u8(Byte.parseByte(value.textValue()));
            case I16 -> out.i16(Short.parseShort(value.textValue()));
            case I32 -> out.i32(Integer.parseInt(value.textValue()));
            case I64 -> out.i64(Long.parseLong(value.textValue()));
            case F32 -> out.f32(Float.intBitsToFloat(HexFormat.fromHexDigits(value.textValue())));
            case F64 -> out.f64(Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(value.textValue())));
            default -> out.i16(HexFormat.fromHexDigits(value.textValue()));
        }
    }

    /** An array of the primitive type of these elements. */
    private static Object row(JsonNode elements, Kind of) {
        int count = elements.size();
        Class<?> type = switch (of.form()) {
            case BOOL -> boolean.class;
            case I8 -> byte.class;
            case I16 -> short.class;
            case I32 -> int.class;
            case I64 -> long.class;
            case F32 -> float.class;
            case F64 -> double.class;
            default -> char.class;
        };
        Object row = java.lang.reflect.Array.newInstance(type, count);
        for (int i = 0; i < count; i++) {
            String text = elements.get(i).asText();
            Object value = switch (of.form()) {
                case BOOL -> Boolean.valueOf(text);
                case I8 -> Byte.valueOf(text);
                case I16 -> Short.valueOf(text);
                case I32 -> Integer.valueOf(text);
                case I64 -> Long.valueOf(text);
                case F32 -> Float.intBitsToFloat(HexFormat.fromHexDigits(text));
                case F64 -> Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(text));
                default -> (char) HexFormat.fromHexDigits(text);
            };
            java.lang.reflect.Array.set(row, i, value);
        }
        return row;
    }

    /** Writes a reference. */
    static void writeReference(JsonNode value, Output out) {
        if (value.isNull()) {
            out.varint(0);
        } else if (value.has("receiver")) {
            out.varint(Long.parseLong(value.get("receiver").textValue()) << 1);
        } else {
            out.varint(Long.parseLong(value.get("sender").get(0).textValue()) << 1 | 1);
            out.varint(Long.parseLong(value.get("sender").get(1).textValue()));
        }
    }

    private static void writeAny(JsonNode value, Output out) {
        if (!value.isObject()) {
            out.u8(value.isNull() ? 0 : value.booleanValue() ? 2 : 1);
            return;
        }
        String name = value.fieldNames().next();
        if (name.equals("pack")) {
            out.u8(SCHEMA);
            out.string(value.get(name).get(0).textValue());
            write(value, Kind.parse("timestamp"), out);
            return;
        }
        if (name.equals("peer")) {
            out.u8(PEER);
            out.string(value.get(name).get(0).textValue());
            writeReference(value.get(name).get(1), out);
            return;
        }
        String text = name.equals("units") ? "string" : name.endsWith("er") ? "object" : name;
        int tag = 3;
        while (tagged(tag) == null || !tagged(tag).text().equals(text)) {
            tag++;
        }
        out.u8(tag);
        write(value, tagged(tag), out);
    }

    private static void writeNames(JsonNode names, Output out) {
        out.varint(names.size());
        names.forEach(name -> out.string(name.textValue()));
    }

    private static void writeClass(JsonNode value, Output out) {
        out.bool(!value.isNull());
        if (value.isNull()) {
            return;
        }
        JsonNode info = value.get("class");
        out.varint(Long.parseLong(info.get("number").textValue()));
        out.string(info.get("name").textValue());
        out.u8(info.get("form").intValue());
        out.string(info.get("superclass").textValue());
        writeNames(info.get("supertypes"), out);
        out.string(info.get("functional").textValue());
        out.varint(info.get("inner").size());
        info.get("inner").forEach(pair -> pair.forEach(name -> out.string(name.textValue())));
        out.varint(info.get("members").size());
        for (JsonNode member : info.get("members")) {
            out.u8(member.get("what").intValue());
            out.u8(member.get("flags").intValue());
            out.string(member.get("name").textValue());
            writeNames(member.get("parameters"), out);
            out.string(member.get("result").textValue());
        }
    }
}
