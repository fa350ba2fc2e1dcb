/** Record files as a data source of Spark's, and messages of pack in columns ({@code docs/pyspark.md}). */
package io.samewire.spark;
