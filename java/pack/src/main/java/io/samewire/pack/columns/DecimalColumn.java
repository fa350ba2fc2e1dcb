package io.samewire.pack.columns;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Decimals: unscaled × 10^−scale.
 *
 * @param unscaled the unscaled numbers; 0 where one is null
 * @param scales the scale of each
 * @param validity whether each is present, of an option; else null
 */
public record DecimalColumn(BigInteger[] unscaled, int[] scales, boolean[] validity) implements Column {
    @Override
    public String kind() {
        return "decimal";
    }

    @Override
    public int length() {
        return scales.length;
    }

    @Override
    public Object present(int index) {
        return new BigDecimal(unscaled[index], scales[index]);
    }
}
