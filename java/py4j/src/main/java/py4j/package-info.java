/** The public classes of Py4J 0.10.9.9, written anew: servers that carry out the commands of Python programs. */
package py4j;
