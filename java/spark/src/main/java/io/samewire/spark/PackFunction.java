package io.samewire.spark;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.spark.types.PackType;
import java.lang.reflect.Constructor;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.Seq;

/** {@code to_pack} or {@code from_pack} of one type, in a plan and in tasks. */
final class PackFunction implements ScalarFunction<Object> {
    private static final long serialVersionUID = 1;

    private final boolean writes;
    private final String schema;
    /** The type of the column that is a value, not a message; as JSON. */
    private final String value;
    private transient PackType type;

    private PackFunction(boolean writes, String schema, DataType value) {
        this.writes = writes;
        this.schema = schema;
        this.value = value.json();
    }

    /** Returns the expression that makes messages of a column's values. */
    static Expression toPack(Seq<Expression> column, String schema) {
        DataType value = column.apply(0).dataType();
        PackType.of(schema, value);
        return expression(new PackFunction(true, schema, value), column);
    }

    /** Returns the expression that makes values of the messages in a column. */
    static Expression fromPack(Seq<Expression> column, String schema) {
        DataType message = column.apply(0).dataType();
        if (!(message instanceof BinaryType)) {
            throw new SamewireException(Code.MISUSE, -1, null, "from_pack takes a binary column, not "
                + message.catalogString());
        }
        return expression(new PackFunction(false, schema, PackType.of(schema).spark()), column);
    }

    /** Scala's sequences are not those of one class in all versions of Spark: the constructor is asked for. */
    private static Expression expression(PackFunction function, Seq<Expression> children) {
        try {
            Constructor<?> constructor = ApplyFunctionExpression.class.getConstructors()[0];
            return (Expression) constructor.newInstance(function, children);
        } catch (ReflectiveOperationException changed) {
            throw new SamewireException(Code.UNSUPPORTED, -1, null,
                "this version of Spark has no expressions of functions that Samewire knows", changed);
        }
    }

    private PackType type() {
        if (type == null) {
            type = PackType.of(schema, DataType.fromJson(value));
        }
        return type;
    }

    @Override
    public String name() {
        return writes ? "to_pack" : "from_pack";
    }

    @Override
    public String canonicalName() {
        return "io.samewire." + name() + "(" + schema + ")";
    }

    @Override
    public DataType[] inputTypes() {
        return new DataType[] {writes ? DataType.fromJson(value) : DataTypes.BinaryType};
    }

    @Override
    public DataType resultType() {
        return writes ? DataTypes.BinaryType : DataType.fromJson(value);
    }

    @Override
    public boolean isResultNullable() {
        return true;
    }

    @Override
    public Object produceResult(InternalRow input) {
        if (input.isNullAt(0)) {
            return null;
        }
        if (writes) {
            return type().codec().encode(type().toPack(input.get(0, type().spark())));
        }
        return type().toSpark(type().codec().decode(input.getBinary(0)));
    }
}
