/** Lines of Py4J's text protocol, and the sockets on which they come. */
package io.samewire.py4j.text;
