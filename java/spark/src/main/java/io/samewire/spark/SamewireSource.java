package io.samewire.spark;

import io.samewire.spark.source.RecordFiles;
import io.samewire.spark.source.RecordTable;
import io.samewire.spark.types.PackType;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Record files ({@code spec/records.md}) as tables: {@code spark.read().format("samewire").load("books/*.records")}
 * and {@code df.write().format("samewire").mode("append").save("books")}. The options are listed in
 * {@code docs/pyspark.md}.
 */
public final class SamewireSource implements TableProvider, DataSourceRegister {
    /** For Spark. */
    public SamewireSource() {}

    @Override
    public String shortName() {
        return "samewire";
    }

    /**
     * Returns the columns of the records: of the option {@code schema}, else of the first file.
     *
     * @throws io.samewire.core.SamewireException {@code unsupported} with the path of a field that Spark has no type
     *     for; as {@link io.samewire.pack.records.RecordReader#open} for a broken file
     */
    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return PackType.of(new RecordFiles(options).schema()).table();
    }

    /** Writers bring the columns of their rows. */
    @Override
    public boolean supportsExternalMetadata() {
        return true;
    }

    @Override
    public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new RecordTable(schema, new CaseInsensitiveStringMap(properties));
    }
}
