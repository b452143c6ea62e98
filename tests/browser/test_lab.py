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


def test_another_gpu_brings_its_price_unless_the_reader_entered_one(page, server):
    page.goto(f"{server.address}lab.html")
    until(page, DRAWN.format(1))
    cost = ".lab-tile >> nth=2"
    assert "$2.50 a GPU-hour, the chapter's" in page.inner_text(cost) and page.inner_text("#lab-price-hint") == "This is the chapter's; 0 takes the catalogue's, $2.95"
    page.select_option("#lab-gpu", "h200")
    until(page, DRAWN.format(2))
    assert "$4.00 a GPU-hour, the catalogue's" in page.inner_text(cost) and page.input_value("#lab-price") == "0" and "price=0" in page.url
    page.select_option("#lab-gpu", "rtxpro6000")
    until(page, DRAWN.format(3))
    assert "no price known" in page.inner_text(cost) and "among the controls" in page.inner_text(cost)
    assert page.inner_text("#lab-price-hint").endswith("enter one here")
    page.fill("#lab-price", "2.5")
    page.keyboard.press("Enter")
    until(page, DRAWN.format(4))
    page.select_option("#lab-gpu", "h100")
    until(page, DRAWN.format(5))
    assert "$2.50 a GPU-hour, yours" in page.inner_text(cost)
    page.goto("about:blank")
    page.goto(f"{server.address}lab.html#gpu=b200&tp=4")  # a link that names no price
    until(page, DRAWN.format(1))
    assert "$5.98 a GPU-hour, the catalogue's" in page.inner_text(cost)


def test_one_is_written_as_one(page, server):
    page.goto(f"{server.address}lab.html#model=qwen2.5-7b&tp=1&weights=bf16&kv=bf16&peak=1&spares=0")
    until(page, DRAWN.format(1))
    assert "1 instance\n1 GPU, 0 spares" in page.inner_text(".lab-result")
    page.fill("#lab-spares", "1")
    page.keyboard.press("Enter")
    until(page, DRAWN.format(2))
    assert "2 instances\n2 GPUs, 1 spare" in page.inner_text(".lab-result") and "1 spares" not in page.inner_text(".lab-result")


def test_the_charts_name_their_lines_let_overload_leave_at_the_top_and_pass_through_the_knee(page, server):
    page.goto(f"{server.address}lab.html")
    until(page, DRAWN.format(1))
    found = lab({**START, "part": "plan"})
    keys = page.locator(".lab-figure figcaption").all_inner_texts()
    labels = [chart.get_attribute("aria-label") for chart in page.locator(".chart").all()]
    for told in (keys, labels):
        assert ["SLO, 2 s" in told[0], "SLO, 50 ms" in told[1], "SLO" in told[2]] == [True, True, False]
        assert all(f"knee, {found['knee']:.3g} requests/s" in text for text in told)
    assert "P99, up to 16.7 s" in keys[0] and "up to" not in keys[1]
    assert page.locator(".chart .mark-y").count() == 2 and page.locator(".chart .mark-x").count() == 3
    p99 = page.evaluate("[...document.querySelectorAll('.chart .line2')[0].points].map(({y}) => y)")
    top = page.evaluate("document.querySelector('.chart .cut').viewBox.baseVal.y")
    above = [y for y in p99 if y < top]
    assert len(above) > 1 and len(set(above)) == len(above)  # no plateau
    assert page.evaluate("getComputedStyle(document.querySelector('.chart .cut')).overflow") == "hidden"

    expected = lab({**START, "part": "point", "rate": found["knee"]})["goodput"]
    y, bottom, top = page.evaluate("""() => {
        const chart = document.querySelectorAll('.chart')[2], mark = chart.querySelector('.mark-x'), x = mark.x1.baseVal.value;
        return [[...chart.querySelector('.line4').points].find((point) => Math.abs(point.x - x) < 0.1)?.y, mark.y2.baseVal.value, mark.y1.baseVal.value];
    }""")
    assert y is not None and (bottom - y) / (bottom - top) * found["high"] == pytest.approx(expected, rel=0.01)


def test_arrow_keys_move_a_slider_whose_value_rounds(page, server):
    page.goto(f"{server.address}lab.html#output_len=2")
    until(page, DRAWN.format(1))
    slider = page.get_by_label("Answer", exact=True)
    for _ in range(60):
        slider.press("ArrowRight")
    until(page, "document.querySelector('#lab-output_len').value === '3'")
    assert slider.get_attribute("aria-valuetext") == "3 tokens"


def test_a_jump_within_the_page_keeps_the_setup(page, server):
    page.goto(f"{server.address}lab.html#tp=4")
    until(page, DRAWN.format(1))
    page.evaluate("location.hash = 'main'")
    until(page, "location.hash.includes('tp=4')")
    assert int(page.get_attribute("#lab", "data-drawn")) >= 1 and page.input_value("#lab-tp") == "4"


def test_what_does_not_fit_is_said_and_the_lab_goes_on(page, server):
    page.goto(f"{server.address}lab.html#model=llama-3-405b&gpu=h100&tp=1&weights=bf16&kv=bf16")
    until(page, "document.querySelector('.lab-state')?.textContent.includes('tp=')")
    page.select_option("#lab-tp", "16")
    until(page, DRAWN.format(1))
    assert page.inner_text(".lab-state") == ""
    page.goto("about:blank")
    page.goto(f"{server.address}lab.html#gpu=b200&tp=1&ttft=0.05")
    until(page, DRAWN.format(1))
    assert "nothing" in page.inner_text(".lab-result") and "the lowest rate tried, misses the SLO" in page.inner_text(".lab-result")


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
