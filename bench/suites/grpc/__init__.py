"""`grpc`: calls on servers, and between a library's own ends."""
