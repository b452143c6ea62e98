"""Diagrams in words: boxes in columns, arrows between them, findings for what cannot be read."""

import re
from xml.etree import ElementTree

import pytest

from practice.chapters.diagram import columns_of, draw, parse, place
from practice.chapters.figures import check_svg

HEAD = "title: T\ndesc: D\n"


def test_columns_follow_the_arrows_and_a_loop_does_not_push_them():
    drawing = parse(HEAD + "A -> B\nB -> C, D\nA -> D\nC -> A: dashed, back")
    assert columns_of(drawing) == {"A": 0, "B": 1, "C": 2, "D": 2}


def test_comma_in_a_second_line_belongs_to_it_unless_a_box_follows():
    drawing = parse(HEAD + "A -> Gate / auth, limits, B\nGate / auth, limits -> C / 1, D / 2\nB -> E")
    assert drawing.boxes == ("A", "Gate / auth, limits", "B", "C / 1", "D / 2", "E")


def test_boxes_do_not_overlap():
    boxes = list(place(parse(HEAD + "A -> B, C, D\nB, C, D -> E / second line\nE -> A")).values())
    for index, one in enumerate(boxes):
        for other in boxes[index + 1 :]:
            apart = (
                one.x + one.width <= other.x
                or other.x + other.width <= one.x
                or one.y + one.height <= other.y
                or other.y + other.height <= one.y
            )
            assert apart


@pytest.mark.parametrize("direction", ["", "direction: down\n"])
def test_picture_is_wellformed_inside_its_frame_and_fit_for_a_page(direction):
    svg = draw(HEAD + direction + "A <b> -> B: HTTPS & more\nB -> C: dashed\nC -> A: again\nB -> B2")
    root = ElementTree.fromstring(svg)
    assert check_svg(svg) == ""
    _, _, width, height = map(float, root.get("viewBox").split())
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        assert float(rect.get("x")) + float(rect.get("width")) <= width
        assert float(rect.get("y")) + float(rect.get("height")) <= height
    for x, y in re.findall(
        r"(-?[\d.]+) (-?[\d.]+)", " ".join(p.get("d") for p in root.iter("{http://www.w3.org/2000/svg}path") if p.get("class"))
    ):
        assert 0 <= float(x) <= width and 0 <= float(y) <= height
    assert svg.count("stroke-dasharray") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A -> B", "no `title:`"),
        (HEAD, "names no box"),
        (HEAD + "A -> ", "both sides"),
        (HEAD + "colour: red", "'colour' is not"),
        (HEAD + "direction: up\nA", "right or down"),
    ],
)
def test_what_cannot_be_read_is_said(text, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        draw(text)
