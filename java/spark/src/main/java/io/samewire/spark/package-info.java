/** Record files as a data source of Spark's, and messages of pack in columns ({@code spec/pyspark.md}). */
package io.samewire.spark;
