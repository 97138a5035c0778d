"""A stand-in for the servers that judges run on."""
