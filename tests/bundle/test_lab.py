"""The lab and the playground start with a chapter's setup and find that chapter's figures."""

import re
from urllib.parse import parse_qsl

import pytest

from practice.bundle.inside.lab import START, lab
from practice.chapters.read import read_chapter


def names_of(root, file, wanted):
    """The names of a chapter's blocks, run up to the one that defines `wanted`."""
    chapter, names = read_chapter(root / "chapters" / file, root, []), {"figure": lambda *_args, **_more: None}
    for block in chapter.blocks:
        exec(block.source, names)
        if wanted in names:
            return names
    raise AssertionError(f"{file} has no {wanted}")


@pytest.fixture(scope="module")
def chat(root):
    return names_of(root, "04-chat-70b.md", "plan")


def test_the_lab_starts_with_the_knee_fleet_and_cost_of_the_70b_chapter(chat):
    found = lab({**START, "part": "plan"})
    assert found["knee"] == chat["limit"]
    assert found["fleet"] == {name: getattr(chat["plan"], name) for name in found["fleet"]}


@pytest.mark.parametrize("changed", [{}, {"gpu": "b200", "ttft": 0.05}, {"ttft": 20.0, "tpot": 0.5}])
def test_the_curves_have_the_knee_itself_and_what_is_close_to_it(changed):
    found = lab({**START, **changed, "part": "plan"})
    rates, knee = found["rates"], found["knee"]
    assert rates == sorted(set(rates)) and rates[-1] == found["high"] and len(rates) <= 14
    at = rates.index(knee)
    assert 0.9 * knee < rates[at - 1] and rates[at + 1] < 1.1 * knee


def test_goodput_at_the_knee_is_a_point_of_the_curve(chat):
    found = lab({**START, "part": "plan"})
    curve = {rate: lab({**START, "part": "point", "rate": rate}) for rate in found["rates"]}
    assert curve[chat["limit"]]["slo_ok"] >= 0.99
    assert max(curve.values(), key=lambda point: point["goodput"])["rate"] == found["knee"]


def test_without_a_knee_the_curves_are_spread_up_to_the_ceiling():
    found = lab({**START, "ttft": 0.001, "part": "plan"})
    assert found["knee"] == 0 and found["rates"][0] < 0.05 * found["high"] and found["rates"][-1] == found["high"]


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"weights": "bf16", "kv": "bf16"}, lambda chat: chat["all_bf16"]),
        ({"kv": "bf16"}, lambda chat: chat["kv_bf16"]),
        ({"tp": 4}, lambda chat: chat["two_of_tp4"] / 2),
        ({"max_num_batched_tokens": 2048}, lambda chat: chat["knobs"][2048][0]),
        ({"max_num_seqs": 64}, lambda chat: chat["seats"][64]),
    ],
)
def test_the_chapter_s_other_choices_are_one_control_away(chat, changed, expected):
    assert lab({**START, **changed, "part": "plan"})["knee"] == expected(chat)


def test_the_chapter_s_link_opens_the_lab_with_that_setup(root):
    text = (root / "chapters" / "04-chat-70b.md").read_text("utf-8")
    (state,) = re.findall(r"\]\(page:lab#([^)]*)\)", text)
    read = {"True": "true", "False": "false"}
    start = {key: read.get(str(value), f"{value:g}" if isinstance(value, float) else str(value)) for key, value in START.items()}
    assert dict(parse_qsl(state)) == start


def test_the_playground_s_example_prints_the_knee_of_the_chapter_on_load_tests(root, capsys):
    limit = names_of(root, "03-load-tests.md", "other")["limit"]
    capsys.readouterr()
    (example,) = re.findall(r"const EXAMPLE = `([^`]*)`", (root / "site" / "app" / "judge" / "playground.js").read_text("utf-8"))
    shown = []
    exec(example, {"show": shown.append})
    assert capsys.readouterr().out == f"knee: {limit:.1f} requests/s\n" and len(shown) == 1
