/** How classes are found. */
package py4j.reflection;
