"""Markdown to HTML: links, figures, tables and formulas as the site wants them."""

from pathlib import Path

import pytest

from practice.render.markdown import Source, render_text
from practice.render.math import MathError, to_mathml
from practice.render.section import anchor_of, to_text

CHECKOUT = Path(__file__).resolve().parents[1] / "site" / "checkout"


def render(text, **more):
    source = Source("a.md", text, 0, CHECKOUT / "chapters", [], **more)
    return render_text(source), source


def test_raw_html_is_text():
    html, _ = render("Hi <script>alert(1)</script> <b onclick=x>b</b>")
    assert "<script" not in html and "<b " not in html and "&lt;script&gt;" in html


def test_prices_are_not_formulas_and_formulas_are():
    html, _ = render("From $2.50 to $320 an hour, and $2P$ FLOP, $0.89 per million.")
    assert html.count("<math") == 1 and "$2.50 to $320 an hour" in html and "$0.89" in html


def test_links_to_our_own_pages_are_kept_for_later_with_their_lines():
    html, source = render("One\n[a](exercise:184) and\n[b](02-numbers.md#kv)\n\n[c](term:slo) [d](#here) [f](page:lab#tp=8&gpu=h100) [e](https://x.org)")
    assert [(link.line, link.kind, link.target, link.anchor) for link in source.links] == [
        (2, "exercise", "184", ""), (3, "chapter", "02-numbers.md", "kv"), (5, "term", "slo", ""), (5, "anchor", "", "here"),
        (5, "page", "lab", "tp=8&gpu=h100")]  # fmt: skip
    assert 'href="ref:chapter:02-numbers.md#kv"' in html and 'href="#here"' in html and 'href="ref:page:lab#tp=8&amp;gpu=h100"' in html and 'rel="noopener"' in html


def test_link_that_leads_nowhere_is_a_finding():
    _, source = render("x\n\n[a](somewhere/else.md)\n[j](javascript:alert(1))")
    assert [(f.line, f.message) for f in source.findings] == [(3, "the link 'somewhere/else.md' leads nowhere")]


def test_values_show_their_expression():
    html, _ = render("It is [16.8](=0).", values={0: 'a["<b>"]:.1f'})
    assert '<span class="value" title="Computed: a[&quot;&lt;b&gt;&quot;]:.1f">16.8</span>' in html


def test_tables_scroll_and_align_without_styles():
    html, _ = render("| a | b |\n|---|---:|\n| 1 | 2 |\n")
    assert '<div class="table"><table>' in html and '<td class="right">2</td>' in html and "style=" not in html


def test_pictures_are_inline_with_ids_of_their_own_and_a_name():
    html, source = render("![A square](figures/square.svg)\n\n![Again](figures/square.svg)")
    assert html.count("<svg") == 2 and 'aria-label="A square"' in html and "<p>" not in html
    assert source.findings == []
    _, source = render("![](figures/square.svg)\n\n![x](figures/none.svg)")
    assert [f.message for f in source.findings] == [
        "the picture figures/square.svg has no description",
        "there is no picture figures/none.svg",
    ]


def test_ids_of_two_diagrams_differ():
    one = "```diagram\ntitle: T\ndesc: D\nA -> B\n```\n"
    html, _ = render(one + "\n" + one)
    ids = [part.split('"')[0] for part in html.split(' id="')[1:]]
    assert len(ids) == len(set(ids)) == 6
    assert 'aria-labelledby="f1-t f1-d"' in html and "url(#f2-m)" in html


@pytest.mark.parametrize("name", ["aligned", "gathered", "align*", "split"])
def test_formulas_of_several_lines_are_tables(name):
    amp = "" if name == "gathered" else "&"
    mathml = to_mathml(rf"\begin{{{name}}} a {amp}= b \\ c {amp}= d \end{{{name}}}", True)
    assert mathml.count("<mtr>") == 2 and "&amp;" not in mathml and "&#x00026;" not in mathml and " style=" not in mathml


def test_formula_that_leaks_or_breaks_is_refused_with_its_line():
    for tex in ("a & b", r"\nosuchcommand x"):
        with pytest.raises(MathError, match="would show"):
            to_mathml(tex, False)
    _, source = render("text\n\nIt is $\\frac{a$ here")
    assert source.findings[0].line == 3 and "braces that do not pair" in source.findings[0].message


def test_anchor_and_words_of_html():
    assert anchor_of("What *is* `kv_bytes`, really?") == "what-is-kv_bytes-really"
    assert to_text("<p>a <em>b</em>, c &lt; d</p><svg><title>no</title></svg><p>e</p>") == "a b, c < d e"
