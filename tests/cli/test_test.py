"""What `judge.py test` and `watch` say beside the verdict."""

import re
import time

from .conftest import RIGHT, WRONG


def test_an_answer_not_yet_begun_is_called_so_and_is_no_attempt(shell):
    shell.run("start", "181")
    shell.write(180, RIGHT)
    done = shell.run("test")
    assert re.search(r"181 .* 0 of +\d+ +still the starter\n", done.stdout)
    assert done.returncode == 1
    assert re.search(r"181 .* started\n", shell.run("progress").stdout)


def test_watch_says_how_to_repeat_a_verdict_without_the_files_path(shell):
    shell.write(180, WRONG)
    with shell.start("watch", "180") as watching:
        lines = []
        until = time.monotonic() + 60
        while time.monotonic() < until and not any("same inputs again" in line for line in lines):
            lines.append(watching.stdout.readline())
        watching.kill()
    assert re.search(r"judge.py 180 --seed \d+\n", lines[-1])
