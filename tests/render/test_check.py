"""The check of finished pages: links, anchors and ids."""

from practice.render.check import check_site, marks_of


def test_dead_links_anchors_and_double_ids_are_found():
    marks = {
        "index.html": marks_of('<a href="a/b.html#x">1</a><a href="a/b.html#y">2</a><a href="https://x">3</a><p id="p"></p><p id="p"></p>'),
        "a/b.html": marks_of(
            '<h2 id="x">t</h2><a href="../index.html?q=1">4</a><a href="../none.html">5</a><a href="#x">6</a><a href="#z">7</a><a href="../index.html#model=a&amp;tp=8">8</a><pre>href="no"</pre>'
        ),
    }
    findings = []
    check_site(marks, {"index.html", "a/b.html"}, findings)
    assert sorted(f"{f.file}: {f.message}" for f in findings) == [
        "a/b.html: the link '#z': a/b.html has no anchor #z",
        "a/b.html: the link '../none.html' leads to no file of the site",
        "index.html: the id 'p' is there more than once",
        "index.html: the link 'a/b.html#y': a/b.html has no anchor #y",
    ]
