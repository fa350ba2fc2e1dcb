"""The options of a connection, and how it is made, greeted, kept and made again. Without sockets."""
