"""All that a server holds in one file, made while it works, and put back elsewhere."""
