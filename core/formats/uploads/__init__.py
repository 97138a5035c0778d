"""What visitors send: read in a process of its own."""
