/** Types of pack and types of Spark, and values of one as values of the other. */
package io.samewire.spark.types;
