/** The commands of Py4J's text protocol, a class each. */
package io.samewire.py4j.commands;
