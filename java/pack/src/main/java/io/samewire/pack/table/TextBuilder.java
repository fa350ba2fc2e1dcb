package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.wire.Reader;
import io.samewire.pack.wire.TextColumn;

/** Texts. */
final class TextBuilder extends ColumnBuilder {
    private final Growing values = new Growing(String.class, "");
    /** Which text each value is, once one column was a dictionary; null before. */
    private Growing codes;

    @Override
    void slot(Reader in) {
        String text = in.text();
        pushCode(values.length);
        int at = values.extend(1);
        ((String[]) values.array)[at] = text;
    }

    private void pushCode(int code) {
        if (codes != null) {
            int at = codes.extend(1);
            ((int[]) codes.array)[at] = code;
        }
    }

    @Override
    void column(Reader in, int m) {
        TextColumn column = TextColumn.read(in, m);
        String[] texts = column.texts();
        long[] indices = column.indices();
        int first = values.length;
        if (indices != null) {
            startCodes();
            EnumBuilder.appendIndices(codes, first, indices, m);
        } else {
            for (int i = 0; i < m; i++) {
                pushCode(first + i);
            }
        }
        values.append(texts, texts.length);
    }

    /** Makes codes of the texts so far. */
    private void startCodes() {
        if (codes != null) {
            return;
        }
        codes = new Growing(int.class, EnumBuilder.NO_CODE);
        codes.extend(values.length);
        for (int i = 0; i < values.length; i++) {
            ((int[]) codes.array)[i] = i;
        }
    }

    @Override
    void nothing() {
        (codes == null ? values : codes).appendNothing();
    }

    @Override
    void spread(boolean[] set, int present) {
        (codes == null ? values : codes).spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        String[] texts = (String[]) values.finish();
        if (codes == null) {
            return new io.samewire.pack.columns.TextColumn(texts, null, validity);
        }
        int[] found = (int[]) codes.finish();
        for (int i = 0; validity != null && i < found.length; i++) {
            // Those of nulls that came before the first dictionary.
            found[i] = validity[i] ? found[i] : EnumBuilder.NO_CODE;
        }
        return new io.samewire.pack.columns.TextColumn(texts, found, validity);
    }

    @Override
    Object key(int index) {
        return ((String[]) values.array)[codes == null ? index : ((int[]) codes.array)[index]];
    }
}
