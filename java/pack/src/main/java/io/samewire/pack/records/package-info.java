/**
 * Record files ({@code spec/records.md}): values of one type, with the schema that they were written with, in a file
 * that can be appended to, read while it grows, and sought.
 */
package io.samewire.pack.records;
