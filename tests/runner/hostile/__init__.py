"""Hostile and broken submissions, each with the verdicts it may get."""
