"""Where judges' models run."""
