package io.samewire.pack.table;

import io.samewire.pack.columns.Column;
import io.samewire.pack.columns.DecimalColumn;
import io.samewire.pack.wire.BigNumbers;
import io.samewire.pack.wire.Reader;
import java.math.BigInteger;

/** Decimals. */
final class DecimalBuilder extends ColumnBuilder {
    private final Growing unscaled = new Growing(BigInteger.class, BigInteger.ZERO);
    private final Growing scales = new Growing(int.class, 0);

    @Override
    void slot(Reader in) {
        int scale = in.i32();
        BigInteger value = BigNumbers.readBigint(in);
        int at = unscaled.extend(1);
        scales.extend(1);
        ((BigInteger[]) unscaled.array)[at] = value;
        ((int[]) scales.array)[at] = scale;
    }

    @Override
    void column(Reader in, int m) {
        in.need(m);
        row(in, m);
    }

    @Override
    void nothing() {
        unscaled.appendNothing();
        scales.appendNothing();
    }

    @Override
    void spread(boolean[] set, int present) {
        unscaled.spread(set, present);
        scales.spread(set, present);
    }

    @Override
    Column finish(boolean[] validity) {
        return new DecimalColumn((BigInteger[]) unscaled.finish(), (int[]) scales.finish(), validity);
    }
}
