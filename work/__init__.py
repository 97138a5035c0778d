"""What jobs do, a file for each kind: core computes, db remembers, the worker and the terminal run it."""
