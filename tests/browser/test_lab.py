"""The capacity lab and the playground, driven as a reader would."""

import pytest

from practice.bundle.inside.lab import START, lab
from practice.sim import Slo, knee
from practice.sim.derivation import derive

from .conftest import press, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DRAWN = "Number(document.querySelector('#lab')?.dataset.drawn ?? 0) >= {}"


def test_the_lab_shows_the_simulator_s_knee_and_follows_its_controls(page, server):
    page.goto(f"{server.address}lab.html#model=qwen2.5-7b&gpu=h100&tp=1&weights=bf16&kv=bf16&input_len=1024&output_len=256&ttft=1&tpot=0.04&peak=100&headroom=0.25&spares=0&mfu=0.5&step_overhead=0.0005&max_num_seqs=256&requests=1000")
    until(page, DRAWN.format(1))
    code = page.inner_text(".lab-code code")
    low, high = (float(code.split(f"{name}=")[1].split(",")[0]) for name in ("low", "high"))
    expected = knee(derive("qwen2.5-7b").setup, Slo(1.0, 0.04), 1024, 256, low=low, high=high, num_requests=1000)
    assert f"{expected:.3g} requests/s" in page.inner_text(".lab-result")
    assert page.locator(".chart").count() == 3 and page.locator(".chart .curve").count() == 6
    before = page.inner_text(".lab-tile >> nth=1")
    page.fill("#lab-peak", "1000")
    page.keyboard.press("Enter")
    until(page, DRAWN.format(2))
    assert page.inner_text(".lab-tile >> nth=1") != before and "peak=1000" in page.url
    page.reload()
    until(page, DRAWN.format(1))
    assert page.input_value("#lab-peak") == "1000"


def test_the_lab_opens_with_the_figures_of_the_70b_chapter(page, server):
    page.goto(f"{server.address}lab.html")
    until(page, DRAWN.format(1))
    expected = lab({**START, "part": "plan"})  # tests/bundle/test_lab.py compares it with the chapter
    tiles = page.inner_text(".lab-result")
    assert f"{expected['knee']:.3g} requests/s" in tiles
    assert f"{expected['fleet']['instances']} instances" in tiles and f"${expected['fleet']['cost_per_hour']:.3g}/h" in tiles
    page.evaluate("location.hash = 'tp=4'")
    until(page, "document.querySelector('#lab-tp')?.value === '4'")
    until(page, DRAWN.format(1))
    assert f"{lab({**START, 'tp': 4, 'part': 'plan'})['knee']:.3g} requests/s" in page.inner_text(".lab-result")


def test_what_does_not_fit_is_said_and_the_lab_goes_on(page, server):
    page.goto(f"{server.address}lab.html#model=llama-3-405b&gpu=h100&tp=1&weights=bf16&kv=bf16")
    until(page, "document.querySelector('.lab-state')?.textContent.includes('tp=')")
    page.select_option("#lab-tp", "16")
    until(page, DRAWN.format(1))
    assert page.inner_text(".lab-state") == ""


def test_an_address_full_of_nonsense_opens_the_lab_all_the_same(page, server):
    page.goto(f"{server.address}lab.html#model=<script>&tp=7&ttft=-1&peak=1e99&input_len=NaN&x=y")
    until(page, DRAWN.format(1))


def test_the_playground_runs_the_simulator_and_draws(page, server):
    page.goto(f"{server.address}playground.html")
    until(page, "document.querySelector('#play')?.hasAttribute('data-ready')")
    page.click("#play .judge-bar button >> nth=0")
    until(page, "document.querySelector('#play .judge-state').textContent === 'Done'")
    assert "knee: " in page.inner_text(".play-output") and page.locator(".play-figure svg").count() == 1


def test_the_playground_stops_and_shows_errors_and_harmless_figures_only(page, server):
    page.goto(f"{server.address}playground.html")
    until(page, "document.querySelector('#play')?.hasAttribute('data-ready')")

    def run(source):
        page.evaluate("text => document.querySelector('#play').page.editor.replace(text)", source)
        page.click("#play .judge-bar button >> nth=0")

    run("show('<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"><script>alert(2)</script><image href=\"https://a.example/x\"/><rect width=\"5\" height=\"5\"/></svg>')\n1/0\n")
    until(page, "document.querySelector('#play .judge-state').textContent === 'Done'")
    assert "ZeroDivisionError" in page.inner_text(".play-output")
    assert page.evaluate("document.querySelector('.play-figure').innerHTML") == '<svg xmlns="http://www.w3.org/2000/svg"><rect width="5" height="5"></rect></svg>'
    run("while True: pass\n")
    until(page, "document.querySelector('#play .judge-state').textContent === 'Running'")
    press(page, "Stop")
    until(page, "document.querySelector('#play .judge-state').textContent === 'Stopped'")
    page.context.said.clear()  # the parser itself says that it ran no handler
