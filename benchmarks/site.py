"""Builds 100 chapters of about 2,000 words and the same text with mkdocs-material, in one run.

    python benchmarks/site.py                         # makes a scratch environment for mkdocs-material (pip)
    python benchmarks/site.py --mkdocs path/to/mkdocs # or takes one that is there

Prints seconds (median of the runs, taken in turn) and peak memory of building from nothing and after one page changed,
and the bytes of a chapter page and of an exercise page of the project's own site where one was built.
"""

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES, WORDS, SECTIONS = 100, 2000, 10
FRONT = '+++\ntitle = "Page {0}"\nslug = "page-{0}"\norder = {0}\nkind = "guide"\nsummary = "The page with number {0}."\nminutes = 9\nexercises = []\n+++\n\n'
CODE = """```py
def step_{0}(setup, tokens, context):
    \"\"\"Seconds of one step.\"\"\"
    compute = 2 * setup.params * tokens / (setup.peak * {1})
    memory = (setup.weights + setup.kv * context) / setup.bandwidth
    return max(compute, memory) + 0.0005
```
"""


def page_text(number: int, vocabulary: list[str]) -> str:
    """Markdown of about WORDS words in SECTIONS sections, each with a code block and a table."""
    rng = random.Random(number)
    parts = []
    for section in range(SECTIONS):
        parts.append(f"## Section {section} of {rng.choice(vocabulary)} {rng.choice(vocabulary)}\n")
        for _ in range(4):
            words = [rng.choice(vocabulary) for _ in range(WORDS // SECTIONS // 4)]
            words[3], words[9] = f"**{words[3]}**", f"`{words[9]}`"
            parts.append(" ".join(words).capitalize() + ".\n")
        parts.append(CODE.format(rng.randrange(1000), rng.random()))
        rows = "\n".join(f"| {rng.choice(vocabulary)} | {rng.random():.3f} | {rng.randrange(10**6):,} |" for _ in range(6))
        parts.append(f"| what | share | count |\n|---|---:|---:|\n{rows}\n")
    return "\n".join(parts)


def make_vocabulary() -> list[str]:
    """Four thousand words that can be pronounced; real texts of this length use about as many."""
    rng = random.Random(0)
    return ["".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randrange(1, 5))) for _ in range(4000)]


def write_sources(folder: Path) -> tuple[Path, Path]:
    """(checkout for this project, project for mkdocs) with the same text."""
    ours, theirs = folder / "ours", folder / "theirs"
    (ours / "chapters").mkdir(parents=True)
    (theirs / "docs").mkdir(parents=True)
    (ours / "site").symlink_to(ROOT / "site")
    vocabulary = make_vocabulary()
    for number in range(1, PAGES + 1):
        text = page_text(number, vocabulary)
        (ours / "chapters" / f"{number:03d}-page-{number}.md").write_text(FRONT.format(number) + text)
        (theirs / "docs" / f"page-{number}.md").write_text(f"# Page {number}\n\n{text}")
    (theirs / "docs" / "index.md").write_text("# Home\n")
    (theirs / "mkdocs.yml").write_text(
        "site_name: bench\ntheme: {name: material}\nplugins: [search]\nmarkdown_extensions:\n  - tables\n  - pymdownx.highlight\n  - pymdownx.superfences\n"
    )
    return ours, theirs


def measure(command: list[str], folder: Path) -> tuple[float, float, float]:
    """(wall seconds, CPU seconds with children, peak MB of the largest process) of one run."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if status:
        raise SystemExit(f"{' '.join(command)} failed:\n{words.decode()}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def find_mkdocs(given: str, scratch: Path) -> list[str]:
    if given:
        return [given]
    subprocess.run([sys.executable, "-m", "venv", scratch / "venv"], check=True)
    python = scratch / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "mkdocs-material"], check=True)
    return [str(python), "-m", "mkdocs"]


def change(path: Path, run: int) -> None:
    path.write_text(path.read_text() + f"\nOne more sentence, number {run}.\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--mkdocs", default="", help="an mkdocs executable with mkdocs-material")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        ours, theirs = write_sources(scratch)
        os.environ["PYTHONPATH"] = str(ROOT)
        build = [sys.executable, "-m", "practice.cli.build", "--without-python", "--root", str(ours)]
        mkdocs = [*find_mkdocs(options.mkdocs, scratch), "build", "--quiet"]
        rows: dict[str, list[tuple[float, float, float]]] = {}
        for run in range(options.runs):
            for folder in (ours / "out", ours / ".cache", theirs / "site"):
                shutil.rmtree(folder, ignore_errors=True)
            rows.setdefault("practice, from nothing", []).append(measure(build, ours))
            rows.setdefault("mkdocs-material, from nothing", []).append(measure(mkdocs, theirs))
            change(ours / "chapters" / "050-page-50.md", run)
            change(theirs / "docs" / "page-50.md", run)
            rows.setdefault("practice, one page changed", []).append(measure(build, ours))
            rows.setdefault("mkdocs-material, one page changed", []).append(measure(mkdocs, theirs))
        show(rows, ours)


def show(rows: dict[str, list[tuple[float, float, float]]], ours: Path) -> None:
    version = sys.version.split()[0]
    print(f"{PAGES} pages of about {WORDS:,} words, Python {version}, medians of {len(next(iter(rows.values())))} runs\n")
    middle = {name: [statistics.median(column) for column in zip(*runs, strict=True)] for name, runs in rows.items()}
    for name, (seconds, cpu, megabytes) in middle.items():
        print(f"{name:36} {seconds:6.2f} s   {cpu:6.2f} s of CPU   {megabytes:4.0f} MB")
    for case in ("from nothing", "one page changed"):
        wall, cpu = (middle[f"mkdocs-material, {case}"][index] / middle[f"practice, {case}"][index] for index in (0, 1))
        print(f"{case}: {wall:.1f} times faster, {cpu:.1f} times less CPU")
    page = ours / "out" / "site" / "chapters" / "page-1.html"
    assets = [next((ours / "out" / "site" / "static").rglob(name)) for name in ("site.css", "theme.js", "page.js")]
    print(
        f"chapter page: {page.stat().st_size:,} bytes, and {sum(path.stat().st_size for path in assets):,} of styles and scripts for the whole site"
    )
    built = sorted((ROOT / "out" / "site" / "exercises").glob("[0-9]*.html"))
    if built:
        print(f"exercise pages of out/site: {max(path.stat().st_size for path in built):,} bytes at most, {len(built)} pages")


if __name__ == "__main__":
    main()
