"""Python's peers: one file a peer, the forms of classes they carry, and the runner that times one of them on one shape."""
