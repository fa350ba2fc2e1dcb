package io.samewire.pack.columns;

/**
 * Texts. Where the message has them as a dictionary, {@code values} are its distinct texts, and {@code codes} says
 * which one each row has. Otherwise {@code codes} is null, and {@code values} are the texts themselves.
 *
 * @param values the texts of the dictionary, or of all rows
 * @param codes the index in {@code values} of each row's text, −1 where it is null; null without a dictionary
 * @param validity whether each is present, of an option; else null
 */
public record TextColumn(String[] values, int[] codes, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "string";
    }

    @Override
    public int length() {
        return codes == null ? values.length : codes.length;
    }

    @Override
    public Object present(int index) {
        return values[codes == null ? index : codes[index]];
    }
}
