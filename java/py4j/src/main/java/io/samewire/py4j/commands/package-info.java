/** Which commands of Py4J's text protocol a connection knows. */
package io.samewire.py4j.commands;
