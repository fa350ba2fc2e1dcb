/** Chooses methods and constructors by Py4J's rules, and calls them. */
package io.samewire.py4j.invoke;
