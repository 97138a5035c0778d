"""What is known of millions of rows, in temporary files: the same memory for a thousand of them and for ten million."""
