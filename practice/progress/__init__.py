"""What the learner has done: a log of events in one SQLite file, and the standings made from it."""
