package io.samewire.pack.wire;

/** Working memory that a writer needs for packed integers and for columns only; it is made when it is first needed. */
final class WriterScratch {
    final BitPacking packing = new BitPacking();
    final ColumnScratch columns = new ColumnScratch();
    private DistinctTexts texts;
    private DistinctDoubles doubles;

    DistinctTexts texts() {
        if (texts == null) {
            texts = new DistinctTexts();
        }
        return texts;
    }

    DistinctDoubles doubles() {
        if (doubles == null) {
            doubles = new DistinctDoubles();
        }
        return doubles;
    }
}
