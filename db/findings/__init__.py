"""What a study has found, gathered to be taken away."""
