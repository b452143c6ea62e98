"""The learner's way, from the first run to the next exercise, in a checkout of its own."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest

from .conftest import RIGHT, WRONG

STARTER = 'def blocks_needed(tokens: int, block_size: int) -> int:\n    """Blocks of `block_size` tokens that `tokens` tokens occupy."""\n    raise NotImplementedError\n'


def steady(text):
    """The text without what differs from run to run: times, memory, seeds."""
    text = re.sub(r"\d+\.\d+ s of \d+\.\d+ s, memory \d+ MiB", "0.001 s of 1.00 s, memory 10 MiB", text)
    text = re.sub(r"(--seed |seed )\d+", r"\g<1>1234", text)
    text = re.sub(r"\n\n?  judged without [^\n]*\n(  [^\n]*tells more\n)?", "\n", text)
    return text


@pytest.mark.parametrize("colour", ["", "1"])
def test_the_way_through_an_exercise_reads_as_agreed(shell, golden, colour):
    said = []

    def step(*words, write=None):
        if write is not None:
            shell.write(180, write)
        done = shell.run(*words, FORCE_COLOR=colour)
        said.append(f"$ python judge.py {' '.join(words)}".rstrip() + f"\n{done.stdout}{done.stderr}[{done.returncode}]\n")

    step()
    step("180")
    assert (shell.answers / "180.py").read_text() == STARTER
    step("180")
    step("180", write=WRONG)
    step("180")
    step("hint", "180")
    step("180", write=RIGHT)
    step("after", "180")
    step("next")
    step("list")
    step("progress")
    step()
    text = re.sub(r"solved(\x1b\[0m)? \d\d \w{3} \d{4}", r"solved\1 01 Jan 2026", steady("\n".join(said)))
    golden("way-colour.txt" if colour else "way.txt", text)


def test_no_color_wins_over_nothing_and_a_pipe_has_none(shell):
    shell.write(180, WRONG)
    assert "\x1b" not in shell.run("180").stdout
    assert "\x1b" in shell.run("180", FORCE_COLOR="1").stdout


def test_exit_codes_tell_how_it_ended(own_shell):
    shell = own_shell
    assert shell.run("180").returncode == 0, "the first run asks, and judges nothing"
    assert shell.run("180").returncode == 1, "the starter"
    shell.write(180, WRONG)
    assert shell.run("180").returncode == 1
    shell.write(180, RIGHT)
    assert shell.run("180").returncode == 0
    assert shell.run("999").returncode == 2
    assert shell.run("180", "--nonsense").returncode == 2
    assert shell.run("180", "nowhere.py").returncode == 2
    (shell.root / "exercises" / "181-more-blocks" / "checks.py").write_text("def check_a(sub):\n    '''A'''\n    raise KeyError('ours')\n")
    broken = shell.run("181", "answers/180.py")
    assert broken.returncode == 3
    assert "this is our fault, not yours" in broken.stdout
    assert shell.run("progress", "--json").stdout.count('"number": 181') == 0, "our fault is not the learner's attempt"


def test_nothing_of_the_learners_is_overwritten(shell):
    mine = shell.write(180, "# mine\n")
    shell.run("start", "180")
    assert mine.read_text() == "# mine\n"
    for text in ("# mine\n", "# second\n"):
        mine.write_text(text)
        assert "is the starter again" in shell.run("reset", "180").stdout
        assert mine.read_text() == STARTER
    kept = sorted(path.read_text() for path in (shell.answers / "backup").iterdir())
    assert kept == ["# mine\n", "# second\n"]
    assert "is the starter already" in shell.run("reset", "180").stdout
    assert len(list((shell.answers / "backup").iterdir())) == 2


def test_a_file_and_standard_input_are_judged_too(shell, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    assert "accepted" in shell.run("180", path).stdout
    assert "accepted" in shell.run("180", "--file", path).stdout
    assert "accepted" in shell.run("180", "-", stdin=RIGHT).stdout
    assert "wrong answer" in shell.run("180", "-", stdin=WRONG).stdout
    assert not (shell.answers / "180.py").exists()
    both = shell.run("180", path, "--file", path)
    assert (both.returncode, "two files were named" in both.stderr) == (2, True)


def test_json_is_the_verdict_and_nothing_else(shell):
    from practice.kernel.verdict import from_json

    done = shell.run("180", "-", "--json", "--seed", "7", stdin=WRONG)
    verdict = from_json(json.loads(done.stdout))
    assert (verdict.exercise, str(verdict.status), verdict.seed, done.stderr) == ("180-kv-blocks", "wrong answer", 7, "")
    assert verdict.first_failure.name == "check_partial_last_block"
    missing = shell.run("180", "--json")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "answers/180.py does not exist" in missing.stderr.replace(os.sep, "/")


def test_the_quick_way_and_the_long_way_say_the_same(shell):
    shell.write(180, WRONG)
    texts = [steady(shell.run(*words).stdout) for words in (["180"], ["judge", "180"], ["test", "180"], ["180", "--seed", "1"])]
    # The hint is offered from the second failure on.
    assert texts[1] == texts[2] == texts[3] == texts[0].rstrip("\n") + "\n\nhint: `python judge.py hint 180` gives a nudge\n"


def test_only_and_run_judge_a_part_and_keep_no_attempt(shell):
    shell.write(180, WRONG)
    assert "1 check of those asked for passed" in shell.run("run", "180").stdout
    assert "wrong answer" in shell.run("180", "--only", "partial_last_block").stdout
    assert "accepted" in shell.run("180", "--only", "check_no_tokens").stdout
    unknown = shell.run("180", "--only", "partial")
    assert unknown.returncode == 2
    assert 'exercise 180 has no check "partial"\n\nhint: its checks are check_partial_last_block' in unknown.stderr
    assert json.loads(shell.run("progress", "--json").stdout) == []


def test_test_judges_all_answers_and_writes_junit(shell, tmp_path):
    from xml.etree import ElementTree

    shell.write(180, RIGHT)
    shell.write(200, WRONG)
    shell.write(12345, RIGHT)
    done = shell.run("test", "--junit", tmp_path / "out" / "report.xml")
    assert done.returncode == 1
    assert "1 of 2 passed" in done.stdout
    suites = ElementTree.parse(tmp_path / "out" / "report.xml").getroot().findall("testsuite")
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [("180-kv-blocks", "0"), ("200-block-pool", "2")]
    verdicts = json.loads(shell.run("test", "--json").stdout)
    assert [verdict["status"] for verdict in verdicts] == ["accepted", "wrong answer"]


def test_github_gets_annotations_and_a_summary(shell, tmp_path):
    shell.write(180, WRONG)
    done = shell.run("180", "--github", GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"))
    lines = [line for line in done.stdout.splitlines() if line.startswith("::error ")]
    assert lines[0].startswith("::error file=answers/180.py,title=180-kv-blocks wrong answer%3A A last%2C partly filled block::")
    assert "| 180-kv-blocks | wrong answer | 2 of 4 |" in (tmp_path / "summary.md").read_text()


def test_hints_come_one_at_a_time(shell):
    texts = [shell.run("hint", "180").stdout for _ in range(4)]
    assert ["hint 1 of 3" in texts[0], "hint 2 of 3" in texts[1], "hint 3 of 3" in texts[2], "hint 3 of 3" in texts[3]] == [True] * 4
    assert "What happens to the tokens" in shell.run("hint", "180", "1").stdout
    assert shell.run("hint", "180", "4").returncode == 2


def test_the_solution_asks_first_unless_solved(shell):
    refused = shell.run("solution", "180")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "`--yes` shows the answer all the same" in refused.stderr
    assert "return (tokens + block_size - 1) // block_size" in shell.run("solution", "180", "--yes").stdout
    shell.write(180, RIGHT)
    shell.run("180")
    assert "return (tokens + block_size - 1)" in shell.run("solution", "180").stdout


def test_progress_travels_between_two_places(shell, tmp_path):
    shell.write(180, RIGHT)
    shell.run("180")
    exported = shell.run("progress", "export", tmp_path / "p.json")
    assert exported.returncode == 0
    elsewhere = {"PRACTICE_ANSWERS": str(tmp_path / "elsewhere")}
    assert "1 event added, 0 events known already" in shell.run("progress", "import", tmp_path / "p.json", **elsewhere).stdout
    assert "0 events added, 1 event known already" in shell.run("progress", "import", tmp_path / "p.json", **elsewhere).stdout
    assert "solved" in shell.run("list", "--status", "solved", **elsewhere).stdout
    (tmp_path / "p.json").write_text("{")
    broken = shell.run("progress", "import", tmp_path / "p.json", **elsewhere)
    assert broken.returncode == 2 and "is not JSON" in broken.stderr


def test_a_progress_file_that_cannot_be_kept_costs_a_line_and_no_verdict(shell):
    shell.write(180, RIGHT)
    (shell.answers / "progress.sqlite").write_text("not a database" * 100)
    for words in (["180"], ["180", "--seed", "1"]):
        done = shell.run(*words)
        assert done.returncode == 0 and "accepted" in done.stdout
        assert "not remembered: the progress file" in done.stderr
    assert "cannot be read" in shell.run().stderr


def test_an_author_judging_the_exercises_own_files_makes_no_attempt(shell):
    assert "accepted" in shell.run("180", "exercises/180-kv-blocks/solution.py").stdout
    assert json.loads(shell.run("progress", "--json").stdout) == []


def test_list_filters(shell):
    assert [row["number"] for row in json.loads(shell.run("list", "--json").stdout)] == [180, 181, 200]
    assert [row["number"] for row in json.loads(shell.run("list", "-t", "kv", "--json").stdout)] == [200]
    assert json.loads(shell.run("list", "--level", "hard", "--json").stdout) == []
    shell.write(180, RIGHT)
    shell.run("180")
    assert [row["number"] for row in json.loads(shell.run("list", "-s", "open", "--json").stdout)] == [181, 200]
    unknown = shell.run("list", "--topic", "kvcache")
    assert unknown.returncode == 2 and "hint: the nearest are kv-cache" in unknown.stderr


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("18", "the nearest are 180-kv-blocks, 181-more-blocks"),
        ("kv-blokcs", "the nearest are 180-kv-blocks"),
        ("tset", "or did you mean the command `test`"),
        ("lst", "or did you mean the command `list`"),
        ("\x1b[31m", "`judge.py list` shows them all"),
    ],
)
def test_an_unknown_word_gets_the_nearest_matches(shell, word, words):
    for more in ([], ["--json"]):
        done = shell.run(word, *more)
        assert (done.returncode, done.stdout) == (2, "")
        assert words in done.stderr
        assert "\x1b" not in done.stderr


def test_a_wrong_option_gets_the_nearest_one(shell):
    assert "--json" in shell.run("180", "--jsn").stderr


def test_it_can_be_called_from_anywhere(shell, tmp_path):
    shell.write(180, RIGHT)
    done = shell.run("180", script=str(shell.root / "practice" / "judge.py"), cwd=tmp_path)
    assert (done.returncode, "accepted" in done.stdout) == (0, True), done.stderr
    assert f"python {shell.root / 'practice' / 'judge.py'} 181" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_watch_judges_on_each_save_and_ends_by_ctrl_c(shell):
    watching = shell.start("watch", "180")
    own = shell.answers / "180.py"
    out = []

    def read_until(words):
        while words not in (line := watching.stdout.readline()):
            assert line, "watch ended early"
            out.append(line)

    read_until("not written yet")
    own.write_text(WRONG)
    read_until("wrong answer")
    # As editors save: a new file moved into the old one's place.
    other = own.with_suffix(".new")
    other.write_text(RIGHT)
    os.replace(other, own)
    read_until("accepted")
    time.sleep(0.05)
    watching.send_signal(signal.SIGINT)
    _, err = watching.communicate(timeout=10)
    assert watching.returncode == 0
    assert "Traceback" not in err and "watching answers/180.py; Ctrl-C ends it" in err


@pytest.mark.skipif(os.name == "nt", reason="there is no head")
def test_a_closed_pipe_is_no_error(shell):
    import subprocess
    import sys

    command = f"{sys.executable} judge.py list --json | head -1"
    done = subprocess.run(command, shell=True, cwd=shell.root, env=shell.environment(), capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[\n", "")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_each_shell(shell, name):
    assert "_JUDGE_PY_COMPLETE" in shell.run("completion", name).stdout


def test_completion_knows_verbs_and_exercises(shell):
    def complete(*words):
        done = shell.run(_JUDGE_PY_COMPLETE="bash_complete", COMP_WORDS=" ".join(("judge.py", *words)), COMP_CWORD=str(len(words)))
        return done.stdout.split()

    assert complete("wat") == ["plain,watch"]
    assert complete("18") == ["plain,180", "plain,181"]
    assert complete("hint", "kv") == ["plain,kv-blocks"]


def test_a_submission_far_too_large_is_refused(shell, tmp_path):
    path = tmp_path / "large.py"
    path.write_bytes(b"#" * (2**20 + 1))
    done = shell.run("180", path)
    assert done.returncode == 2 and "more than a submission may have" in done.stderr


def test_answers_may_lie_elsewhere(shell, tmp_path):
    done = shell.run("start", "180", PRACTICE_ANSWERS=str(tmp_path / "mine"))
    assert (tmp_path / "mine" / "180.py").exists() and not shell.answers.exists(), done.stderr
    shutil.rmtree(tmp_path / "mine")


@pytest.mark.parametrize(
    ("words", "code"),
    [("180 <&-", 0), ("180 >&-", 0), ("180 2>&-", 0), ("180 <&- >&- 2>&-", 0), ("180 - <&-", 2), ("180 >/dev/full", 2), ("180 2>/dev/full", 0),
     ("list >&-", 0), ("list >/dev/full", 2), ("nothing 2>&-", 2), ("nothing >&- 2>/dev/full", 2)],
)  # fmt: skip
def test_no_standard_stream_is_needed_and_none_breaks_the_judge(shell, words, code):
    shell.write(180, RIGHT)
    command = f"{shlex.quote(sys.executable)} judge.py {words}"
    done = subprocess.run(["bash", "-c", command], cwd=shell.root, env=shell.environment(), capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr and "judge failed" not in done.stderr
    assert done.returncode == code, done.stderr


def test_an_answer_that_is_no_file_gets_one_message(shell, tmp_path):
    (shell.answers / "180.py").mkdir(parents=True)
    for words in (["180"], ["run", "180"], ["reset", "180"], ["test"], ["180", tmp_path]):
        done = shell.run(*words)
        assert done.returncode == 2 and "cannot be read" in done.stderr and "hint:" in done.stderr and "Traceback" not in done.stderr, (words, done.stderr)
    (shell.answers / "180.py").rmdir()
    shell.answers.rmdir()
    shell.answers.write_text("mine")
    for words in (["180"], ["start", "180"], ["reset", "180"], ["hint", "180"], ["list"], [], ["test"], ["progress"]):
        done = shell.run(*words)
        assert done.returncode in (0, 2) and "Traceback" not in done.stderr, (words, done.stderr)
    assert shell.answers.read_text() == "mine"
    shell.answers.unlink()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a folder that is full or read-only")
@pytest.mark.parametrize("kind", ["full", "read-only"])
def test_a_folder_that_cannot_be_written_costs_no_answer_and_no_verdict(shell, tmp_path, kind):
    mine = tmp_path / "mine"
    mine.mkdir()
    script = f"""
        mount -t tmpfs -o size=200k tmpfs {mine} || exit 77
        {shlex.quote(sys.executable)} judge.py start 180 >/dev/null
        printf 'def blocks_needed(tokens, block_size):\\n    return -(-tokens // block_size)\\n' >{mine}/180.py
        if [ {kind} = full ]; then dd if=/dev/zero of={mine}/fill bs=1k 2>/dev/null; else mount -o remount,ro {mine}; fi
        for words in 180 "run 180" "reset 180" "start 181" "hint 180" "after 180" "solution 180 --yes" list progress test ""; do
            {shlex.quote(sys.executable)} judge.py $words >out 2>err; echo "$words: $?"
            grep -h Traceback out err
            cmp {mine}/180.py <(printf 'def blocks_needed(tokens, block_size):\\n    return -(-tokens // block_size)\\n') || echo lost
            test -e {mine}/181.py && echo 181 is there
        done
        rm -f out err
        true
    """
    command = ["unshare", "-m", "bash", "-c", script]
    done = subprocess.run(command, cwd=shell.root, env=shell.environment(PRACTICE_ANSWERS=str(mine)), capture_output=True, text=True, timeout=120)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr[-200:]}")
    refused = {"reset 180: 2", "start 181: 2"}
    expected = [f"{words}: 0" for words in ("180", "run 180", "reset 180", "start 181", "hint 180", "after 180", "solution 180 --yes", "list", "progress", "test", "")]
    said = done.stdout.splitlines()
    assert said == [line if line.replace(": 0", ": 2") not in refused else line.replace(": 0", ": 2") for line in expected]


def test_no_report_is_written_over_an_answer(shell):
    path = shell.write(180, RIGHT)
    for words in (["180", "--junit", path], ["test", "180", "--junit", path], ["progress", "export", path], ["test", "--junit", shell.answers / "progress.sqlite"]):
        shell.run("180")
        done = shell.run(*words)
        assert done.returncode == 2 and "lies among your answers" in done.stderr, (words, done.stderr)
    assert path.read_text("utf-8") == RIGHT


@pytest.mark.parametrize("name", ["", " ", "9" * 5000, "a" * 5000, "\x1b[31m184", "²", "-1", "184.5", "/", "\udcff"])
def test_any_name_that_is_none_is_wrong_usage(shell, name):
    done = shell.run("show", "--", name)
    assert done.returncode == 2 and "hint:" in done.stderr and "\x1b" not in done.stderr and "Traceback" not in done.stderr
