"""What a submission's process and the judge agree on before the first request."""

READY = b"\x01"
"""A process's first byte: every layer is on, and nothing of the submission has been read."""
EXIT_MEMORY = 86
"""A process's exit code when there was not enough memory left to answer."""
