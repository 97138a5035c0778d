"""Causal language models that read in this process, or in vLLM."""
