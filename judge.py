#!/usr/bin/env python3
"""`python judge.py 184`: the short way to practice/judge.py."""

from practice.judge import main

if __name__ == "__main__":
    main()
