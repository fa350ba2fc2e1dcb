/** What commands of a program's own are made of. */
package py4j.commands;
