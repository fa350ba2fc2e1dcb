package io.samewire.spark.types;

import io.samewire.pack.Nullable;
import io.samewire.pack.Shared;
import io.samewire.pack.Unsigned;
import io.samewire.pack.schema.Kind;
import io.samewire.pack.schema.SchemaType;
import java.lang.annotation.Annotation;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.objectweb.asm.Type;

/**
 * A type of pack as the declared type of a Java field: boxed, with type arguments and annotations.
 *
 * @param descriptor of the erased type
 * @param signature with type arguments
 * @param marks the annotations inside it
 */
record JavaForm(String descriptor, String signature, List<Mark> marks) {
    /**
     * An annotation of a part.
     *
     * @param path the path of the part, as class files have it
     */
    record Mark(String path, Class<? extends Annotation> annotation) {}

    /** What the names of classes for structs, tuples, unions and enums are. */
    interface Names {
        String of(SchemaType type);
    }

    static JavaForm of(SchemaType type, Names names) {
        List<Mark> marks = new ArrayList<>();
        String signature = signature(type, names, "", marks);
        int arguments = signature.indexOf('<');
        String erased = arguments < 0 ? signature : signature.substring(0, arguments) + ";";
        return new JavaForm(erased, signature, marks);
    }

    private static String signature(SchemaType type, Names names, String path, List<Mark> marks) {
        if (type instanceof SchemaType.Option option) {
            marks.add(new Mark(path, Nullable.class));
            return signature(option.item, names, path, marks);
        } else if (type instanceof SchemaType.Ref ref) {
            marks.add(new Mark(path, Shared.class));
            return signature(ref.item, names, path, marks);
        } else if (type instanceof SchemaType.Scalar scalar) {
            if (scalar.kind.isInteger() && !scalar.kind.isSigned()) {
                marks.add(new Mark(path, Unsigned.class));
            }
            return Type.getDescriptor(scalar(scalar.kind));
        } else if (type instanceof SchemaType.ListOf list) {
            return generic(List.class, signature(list.item, names, path + "0;", marks));
        } else if (type instanceof SchemaType.SetOf set) {
            return generic(Set.class, signature(set.item, names, path + "0;", marks));
        } else if (type instanceof SchemaType.MapOf map) {
            String key = signature(map.key, names, path + "0;", marks);
            return generic(Map.class, key + signature(map.value, names, path + "1;", marks));
        }
        return "L" + names.of(type) + ";";
    }

    private static String generic(Class<?> raw, String arguments) {
        return "L" + Type.getInternalName(raw) + "<" + arguments + ">;";
    }

    private static Class<?> scalar(Kind kind) {
        return switch (kind) {
            case BOOL -> Boolean.class;
            case I8, U8 -> Byte.class;
            case I16, U16 -> Short.class;
            case I32, U32 -> Integer.class;
            case I64, U64 -> Long.class;
            case F32 -> Float.class;
            case F64 -> Double.class;
            case BIGINT -> BigInteger.class;
            case DECIMAL -> BigDecimal.class;
            case STRING -> String.class;
            case BYTES -> byte[].class;
            case UUID -> UUID.class;
            case DATE -> LocalDate.class;
            case TIME -> LocalTime.class;
            case TIMESTAMP -> Instant.class;
            case DURATION -> Duration.class;
            case ANY -> Object.class;
        };
    }
}
