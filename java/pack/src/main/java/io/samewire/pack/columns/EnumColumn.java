package io.samewire.pack.columns;

import java.util.List;

/**
 * Symbols of an enum.
 *
 * @param symbols all symbols, in the schema's order
 * @param codes the index in {@code symbols} of each row's symbol; −1 where it is null
 * @param validity whether each is present, of an option; else null
 */
public record EnumColumn(List<String> symbols, int[] codes, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "enum";
    }

    @Override
    public int length() {
        return codes.length;
    }

    @Override
    public Object present(int index) {
        return symbols.get(codes[index]);
    }
}
