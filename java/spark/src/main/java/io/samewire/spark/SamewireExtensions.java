package io.samewire.spark;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.pack.Schema;
import io.samewire.spark.types.SchemaTexts;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.Option;
import scala.Tuple3;
import scala.collection.Seq;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * Gives a session the functions {@code to_pack(value [, schema])} and {@code from_pack(message, schema)}: {@code
 * spark.sql.extensions=io.samewire.spark.SamewireExtensions}. They are for SQL, and for {@code call_function} in every
 * language.
 */
public final class SamewireExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    /** For Spark. */
    public SamewireExtensions() {}

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        inject(extensions, "to_pack", new ToPack());
        inject(extensions, "from_pack", new FromPack());
        return BoxedUnit.UNIT;
    }

    // The second parameter of the tuple's function is a sequence of another class in each version of Scala.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void inject(SparkSessionExtensions extensions, String name, Function1 builder) {
        ExpressionInfo info = new ExpressionInfo(PackFunction.class.getName(), null, name);
        extensions.injectFunction(new Tuple3(new FunctionIdentifier(name, Option.empty()), info, builder));
    }

    private static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }

    private static String text(Seq<Expression> arguments, String function) {
        Expression schema = arguments.apply(1);
        Object found = schema.foldable() ? schema.eval(null) : null;
        if (found == null) {
            throw misuse(function + " takes a schema text as a literal for its second argument");
        }
        return Schema.parse(found.toString()).text();
    }

    @SuppressWarnings("unchecked") // The first of some expressions.
    private static Seq<Expression> first(Seq<Expression> arguments) {
        return (Seq<Expression>) arguments.take(1);
    }

    private static final class ToPack extends AbstractFunction1<Seq<Expression>, Expression> {
        @Override
        public Expression apply(Seq<Expression> arguments) {
            if (arguments.size() < 1 || arguments.size() > 2) {
                throw misuse("to_pack takes a value and a schema, not " + arguments.size() + " arguments");
            }
            DataType type = arguments.apply(0).dataType();
            String schema = arguments.size() == 2 ? text(arguments, "to_pack")
                : type instanceof StructType struct ? SchemaTexts.of("Row", struct).text()
                : SchemaTexts.of("Row", type).text();
            return PackFunction.toPack(first(arguments), schema);
        }
    }

    private static final class FromPack extends AbstractFunction1<Seq<Expression>, Expression> {
        @Override
        public Expression apply(Seq<Expression> arguments) {
            if (arguments.size() != 2) {
                throw misuse("from_pack takes a message and a schema, not " + arguments.size() + " arguments");
            }
            return PackFunction.fromPack(first(arguments), text(arguments, "from_pack"));
        }
    }
}
