package io.samewire.pack.bind;

import io.samewire.pack.schema.Cells;
import io.samewire.pack.schema.SchemaType;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * What generated code charges for a slot before it reads it: the slot's weight, and in advance what each list, set and
 * map that certainly follows with it takes besides its elements. So a container's count costs one multiplication, and
 * an empty list nothing.
 *
 * <p>Sums are the same as those of {@link Cells} for every message that is read to its end, so that generated code
 * refuses exactly those messages for which the strict reader finds the error.
 */
final class PrepaidCells {
    private final Cells cells;
    private final Map<SchemaType, Integer> rows = new IdentityHashMap<>();

    PrepaidCells(Cells cells) {
        this.cells = cells;
    }

    /** For a slot; {@code reader} is null if it is skipped, in which case nothing is paid in advance. */
    int slot(SchemaType writer, SchemaType reader) {
        if (reader instanceof SchemaType.Option option) {
            return slot(writer, option.item);
        } else if (reader == null || writer instanceof SchemaType.Option) {
            return cells.slot(writer);
        } else if (isContainer(writer)) {
            return cells.slot(writer) + Cells.CONTAINER;
        }
        return cells.isInline(writer) ? row(writer, reader) : cells.slot(writer);
    }

    /** For a struct or tuple and its slots. */
    int row(SchemaType writer, SchemaType reader) {
        Integer known = rows.get(writer);
        if (known == null) {
            long sum = cells.row(writer);
            for (int i = 0; i < writer.parts().size(); i++) {
                SchemaType part = writer.parts().get(i);
                sum += slot(part, part(writer, reader, i)) - cells.slot(part);
            }
            known = Cells.capped(sum);
            rows.put(writer, known);
        }
        return known;
    }

    private static SchemaType part(SchemaType writer, SchemaType reader, int i) {
        if (writer instanceof SchemaType.Struct struct) {
            SchemaType.Field field = ((SchemaType.Struct) reader).field(struct.fields.get(i).name());
            return field == null ? null : field.type();
        }
        return ((SchemaType.TupleOf) reader).items.get(i);
    }

    /** For the item of an option that is present, besides the option's own slot; a recursive struct pays for itself. */
    int present(SchemaType item, SchemaType reader) {
        if (isContainer(item)) {
            return Cells.CONTAINER;
        }
        return cells.isInline(item) ? row(item, reader) : 0;
    }

    /** For each element of a list. */
    int element(SchemaType.ListOf writer, SchemaType.ListOf reader) {
        return slot(writer.item, reader.item);
    }

    /** For each key of a set. Keys hold no containers. */
    int element(SchemaType.SetOf writer) {
        return cells.element(writer);
    }

    /** For each entry of a map. */
    int element(SchemaType.MapOf writer, SchemaType.MapOf reader) {
        return Cells.capped((long) cells.element(writer) - cells.slot(writer.value) + slot(writer.value, reader.value));
    }

    /** For each element of a list, key of a set, or entry of a map that is read by the same schema. */
    int elements(SchemaType container) {
        if (container instanceof SchemaType.MapOf map) {
            return element(map, map);
        } else if (container instanceof SchemaType.SetOf set) {
            return element(set);
        }
        return element((SchemaType.ListOf) container, (SchemaType.ListOf) container);
    }

    private static boolean isContainer(SchemaType type) {
        return type instanceof SchemaType.ListOf || type instanceof SchemaType.SetOf
            || type instanceof SchemaType.MapOf;
    }
}
