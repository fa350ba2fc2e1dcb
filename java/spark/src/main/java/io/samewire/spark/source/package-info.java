/** Record files as tables: planning, reading and writing. */
package io.samewire.spark.source;
