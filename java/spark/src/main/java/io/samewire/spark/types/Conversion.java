package io.samewire.spark.types;

/**
 * Values of one type, as a codec's classes hold them and as Spark's rows do, both ways. Null is not a value of either:
 * who holds an option asks first.
 */
interface Conversion {
    /**
     * Returns a value for Spark.
     *
     * @throws Misfit for a value that Spark's type has no place for
     */
    Object toSpark(Object value);

    /**
     * Returns a value for the codec.
     *
     * @throws Misfit for a value that is not of pack's type
     */
    Object toPack(Object value);

    /** {@link #toSpark} of a slot that may be an option. */
    static Object outward(Conversion conversion, Object value) {
        return value == null ? null : conversion.toSpark(value);
    }

    /** {@link #toPack} of a slot that may be an option. */
    static Object inward(Conversion conversion, boolean optional, Object value) {
        if (value != null) {
            return conversion.toPack(value);
        } else if (optional) {
            return null;
        }
        throw Misfit.value("null, and the type is not an option: filter such rows, or declare an option");
    }
}
