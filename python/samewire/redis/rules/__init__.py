"""What is known of a command before it is sent."""
