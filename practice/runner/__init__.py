"""Judging untrusted submissions on this machine: fresh processes, limits, and the layers a kernel offers."""
