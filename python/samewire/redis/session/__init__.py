"""What a connection is told, and how it is made, greeted, kept and made again. Without sockets."""
