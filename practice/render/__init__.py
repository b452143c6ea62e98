"""Chapters and exercises to a static site: first all is gathered, then rendered, then written."""
