"""Metrics that ask a language model for its judgment."""
