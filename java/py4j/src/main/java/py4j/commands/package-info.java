/** The commands of Py4J's text protocol, a class each, and what commands of a program's own are made of. */
package py4j.commands;
