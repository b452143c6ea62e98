"""Plots are well-formed, say what they show, and keep their lines inside."""

import re
from xml.etree import ElementTree

import pytest
from sim.plot import Line, Panel, line_plot, panel_plot

SVG = "{http://www.w3.org/2000/svg}"


def drawn(**changes):
    arguments = dict(title="TTFT & rate", x_label="rate (req/s)", y_label="TTFT (ms)", limit=1000, limit_label="SLO 1 s")
    return line_plot([("P50 <x>", [1, 10, 20], [34.0, 37.0, 65.0]), ("P99", [1, 10, 20], [60.0, float("nan"), 242.0])],
                     **(arguments | changes))


def test_a_plot_is_well_formed_and_names_itself():
    root = ElementTree.fromstring(drawn())
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title.text == "TTFT & rate"
    assert "P50 <x> goes from 34 at 1 to 65 at 20" in desc.text
    assert "SLO 1 s at 1000" in desc.text
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert root.get("role") == "img"


def test_colours_are_variables_with_fallbacks_and_there_is_no_style():
    text = drawn()
    assert "var(--plot-1, #" in text and "var(--plot-2, #" in text
    assert "<style" not in text and "style=" not in text


@pytest.mark.parametrize("log_y", [False, True])
def test_everything_is_drawn_inside_the_picture(log_y):
    root = ElementTree.fromstring(drawn(log_y=log_y))
    _, _, width, height = map(float, root.get("viewBox").split())
    for path in root.iter(f"{SVG}path"):
        for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d")):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height


def test_a_missing_value_is_a_gap():
    curves = [p.get("d") for p in ElementTree.fromstring(drawn()).iter(f"{SVG}path") if p.get("stroke-width") == "2"]
    assert any(d.count("M") == 2 and "L" not in d for d in curves)


def test_panels_are_stacked_and_two_plots_have_their_own_ids():
    panel = Panel([Line("a", [0, 1], [0, 1])], "x", "y")
    one, two = panel_plot([panel], title="a"), panel_plot([panel, panel], title="b")
    heights = [float(ElementTree.fromstring(text).get("viewBox").split()[3]) for text in (one, two)]
    assert heights[1] - heights[0] == 260
    ids = [ElementTree.fromstring(text).find(f"{SVG}title").get("id") for text in (one, two)]
    assert ids[0] != ids[1]


def test_a_flat_line_and_a_single_point_can_be_drawn():
    for xs, ys in (([1, 2], [5, 5]), ([3], [0]), ([0], [0])):
        ElementTree.fromstring(line_plot([("a", xs, ys)], title="t", x_label="x", y_label="y"))


def test_nothing_to_draw_is_named():
    with pytest.raises(ValueError, match="line 'a' has no finite values"):
        line_plot([("a", [1], [float("nan")])], title="t", x_label="x", y_label="y")
    with pytest.raises(ValueError, match="0 lines"):
        line_plot([], title="t", x_label="x", y_label="y")
