"""Markdown to Chapter; runs its blocks; compares what they print with what the chapter says."""
