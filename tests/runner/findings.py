"""Run by test_harden.py: the doctor's findings and a few hostile submissions, as JSON; `python findings.py ROOT`."""

import json
import os
import sys
import tempfile

NAMES = ("fork bomb", "thousands of threads with small stacks", "read ~/.ssh or /etc/passwd", "network: UDP", "raise own RLIMIT_CPU, loop",
         "ptrace/process_vm_readv of the judge", "memory bomb (list)", "exec of a shell", "kill -1 (everything of this user)")  # fmt: skip


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    from practice.runner.backend import PipeBackend
    from practice.runner.doctor import examine
    from tests.runner.hostile import corpus

    os.chdir(tempfile.mkdtemp())
    with PipeBackend(speed=1.0) as backend, corpus.Surroundings() as surroundings:
        findings = [finding.act for finding in examine(backend) if not finding.holds]
        there = {*backend.isolation()["layers"], "uid"}  # threads are counted for an unprivileged user without a uid of its own, too
        rows = [row for row in corpus.ROWS if row.name in NAMES and row.needs <= there]
        outcomes = [corpus.judge_row(row, backend, surroundings) for row in rows]
        wrong = [[o.row.name, o.failure or o.verdict.status, o.escapes] for o in outcomes if not o.is_right]
        print(json.dumps({"uid": os.getuid(), **backend.isolation(), "open": findings, "tried": len(outcomes), "wrong": wrong}))
    os.rmdir(os.getcwd())


if __name__ == "__main__":
    main()
