"""A judge, exercises, chapters and a simulator for LLM-inference-systems interviews."""

__version__ = "0.1.0"
