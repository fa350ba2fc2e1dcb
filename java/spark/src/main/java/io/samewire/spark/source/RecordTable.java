package io.samewire.spark.source;

import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Record files as a table. */
public final class RecordTable implements SupportsRead, SupportsWrite {
    private final StructType columns;
    private final CaseInsensitiveStringMap properties;

    /** Creates a table of columns, whose files the properties name. */
    public RecordTable(StructType columns, CaseInsensitiveStringMap properties) {
        this.columns = columns;
        this.properties = properties;
    }

    @Override
    public String name() {
        return "samewire " + properties.getOrDefault("path", "");
    }

    @Override
    @Deprecated
    public StructType schema() {
        return columns;
    }

    @Override
    public Set<TableCapability> capabilities() {
        return EnumSet.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE,
            TableCapability.ACCEPT_ANY_SCHEMA);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
        return new RecordScan(new RecordFiles(options), columns, options);
    }

    @Override
    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
        return new RecordWrite(info);
    }
}
