"""How likely a language model on a server finds a text: what is asked of it, and how its answers are read."""
