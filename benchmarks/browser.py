"""The browser judge measured in headless Chromium, with stock Pyodide beside it in the same run; prints a table and the ratios.

    python benchmarks/browser.py [--loads 5]

Needs Chromium, Playwright, and network or cache for Pyodide (see practice/bundle). Serves brotli siblings on 127.0.0.1.
Cold is an empty profile, warm the same profile again. The slow line is 10 Mbit/s with 40 ms for each request, by Chromium's
own emulation, which does not throttle workers; so all files are fetched by the page, in both kinds, and the page's line counts.
"""

import argparse
import json
import mimetypes
import shutil
import statistics
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from practice.bundle import archive
from practice.bundle.build import exercise_json
from practice.bundle.compiled import empty_lock
from practice.bundle.fetch import Fetcher
from practice.bundle.sibling import brotli_of, gzip_of, siblings
from practice.bundle.site import part_of_site, readable
from practice.bundle.source import DEFAULT, RUNTIMES
from practice.render.build import build

SLOW_LINE = {"offline": False, "latency": 40, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
EXERCISE = "184-fleet-size"

# Pyodide as its documentation shows it, in a module worker, with our kernel as sources; files come from the page so that one line counts.
STOCK_WORKER = """
let python;
onmessage = async ({ data }) => {
  if (data.files) {
    const { loadPyodide } = await import("./pyodide.mjs");
    const real = fetch;
    self.fetch = async (address, more) => {
      const name = String(address.url ?? address).split("/").pop();
      const type = name.endsWith(".wasm") ? "application/wasm" : "text/plain";
      return name in data.files ? new Response(data.files[name], { headers: { "Content-Type": type } }) : real(address, more);
    };
    python = await loadPyodide({ indexURL: new URL("./", location.href).href });
    python.FS.writeFile("/practice.zip", new Uint8Array(data.files["practice.zip"]));
    python.runPython("import sys; sys.path.insert(0, '/practice.zip'); from practice.kernel.door import judge_json");
    postMessage("ready");
  } else {
    python.globals.set("text", data.text);
    postMessage(python.runPython("judge_json(text)"));
  }
};
"""
STOCK_PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">
const names = ["pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "practice.zip"];
const worker = new Worker("worker.js", { type: "module" });
const answer = () => new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await (await fetch(name)).arrayBuffer()])));
const ready = answer();
worker.postMessage({ files });
await ready;
window.readyAt = performance.now();
const text = await (await fetch("request.json")).text();
const verdict = answer();
worker.postMessage({ text });
window.verdict = JSON.parse(await verdict).status;
window.verdictAt = performance.now();
</script>"""


class Server:
    """Static files from a folder, compressed siblings where the browser takes them; counts the bytes it sends."""

    def __init__(self, folder: Path, encoding: str = "br") -> None:
        counted = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = folder / self.path.split("?")[0].split("#")[0].lstrip("/")
                ending = {"br": ".br", "gzip": ".gz"}[encoding]
                packed = path.with_name(path.name + ending)
                found = packed if packed.is_file() else path
                if not found.is_file():
                    self.send_response(404)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                data = found.read_bytes()
                counted.sent += len(data)
                self.send_response(200)
                self.send_header("Content-Type", mimetypes.guess_type(path.name)[0] or "application/octet-stream")
                self.send_header("Content-Length", str(len(data)))
                self.send_header("Cache-Control", "max-age=31536000" if path.suffix != ".html" else "no-cache")
                if found is packed:
                    self.send_header("Content-Encoding", encoding)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.sent = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/"


def prepare(folder: Path) -> None:
    """The site under ours/, stock Pyodide under stock/, with siblings."""
    mimetypes.add_type("text/javascript", ".mjs")
    mimetypes.add_type("application/wasm", ".wasm")
    checkout = folder / "checkout"
    (checkout / "chapters").mkdir(parents=True)
    shutil.copytree(ROOT / "site", checkout / "site", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(ROOT / "exercises" / EXERCISE, checkout / "exercises" / EXERCISE)
    part = part_of_site(checkout)
    if not part.manifest:
        sys.exit(part.note)
    build(checkout, folder / "served/ours", python=part)
    (folder / "served/ours/sw.js").unlink()  # the HTTP cache is measured; the service worker has its own row
    exercise = readable(checkout)[0]
    runtime, fetcher, stock = RUNTIMES[DEFAULT], Fetcher(), folder / "served/stock"
    stock.mkdir()
    for source in runtime.files:
        (stock / source.name).write_bytes(fetcher.path(source).read_bytes())
    (stock / "pyodide-lock.json").write_text(empty_lock(runtime))
    (stock / "practice.zip").write_bytes(archive.to_zip(archive.sources(ROOT / "practice")))
    request = {"format": 1, "exercise": json.loads(exercise_json(exercise)), "submission": exercise.solution, "seed": 1}
    (stock / "request.json").write_text(json.dumps(request))
    (stock / "worker.js").write_text(STOCK_WORKER)
    (stock / "index.html").write_text(STOCK_PAGE)
    print("compressing what is not in the cache yet", file=sys.stderr)
    for kind in ("ours", "stock"):
        files = {str(path): path.read_bytes() for path in (folder / "served" / kind).rglob("*") if path.is_file()}
        big = {path: data for path, data in files.items() if len(data) > 100_000}
        for path, data in siblings(big).items():
            Path(path).write_bytes(data)
        for path, data in files.items():
            if path not in big and len(data) > 500 and not path.endswith((".br", ".gz")):
                Path(path + ".br").write_bytes(brotli_of(data))
                Path(path + ".gz").write_bytes(gzip_of(data))


def until(page, expression: str, seconds: float = 120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = page.evaluate(expression)
        if value:
            return value
        page.wait_for_timeout(5)
    raise SystemExit(f"not within {seconds} s: {expression}")


OURS_READY = "document.querySelector('#judge')?.hasAttribute('data-ready')"
RUN = """async (text) => {
  const { page } = document.querySelector("#judge");
  await page.pool.warm();
  const ready = performance.now();
  const verdict = await page.judging.judge(text, {});
  return { ready, verdict: performance.now(), status: verdict.status, took: performance.now() - ready };
}"""


def load_ours(page, server: Server, solution: str) -> float:
    """Milliseconds from navigation to the first verdict: Python is asked for when the buttons are there, judged when the editor is."""
    page.goto(f"{server.address}ours/exercises/{EXERCISE}.html", wait_until="commit")
    until(page, "Boolean(document.querySelector('#judge')?.page)")
    page.evaluate("document.querySelector('#judge').page.warm()")
    until(page, OURS_READY)
    seen = page.evaluate(RUN, solution)
    assert seen["status"] == "accepted", seen
    return seen["verdict"]


def ready_ours(page, server: Server, _: str) -> float:
    """Milliseconds from navigation to Python, kernel and simulator ready, on the page that loads them at once."""
    page.goto(f"{server.address}ours/lab.html")
    until(page, "document.querySelector('#lab')?.dataset.readyAt")
    return float(page.evaluate("document.querySelector('#lab').dataset.readyAt"))


def load_stock(page, server: Server, _: str) -> float:
    page.goto(f"{server.address}stock/index.html")
    assert until(page, "window.verdict") == "accepted"
    return page.evaluate("window.verdictAt")


def ready_stock(page, server: Server, _: str) -> float:
    load_stock(page, server, _)
    return page.evaluate("window.readyAt")


LOADS = {("stock", "ready"): ready_stock, ("ours", "ready"): ready_ours, ("stock", "verdict"): load_stock, ("ours", "verdict"): load_ours}
CONDITIONS = ("cold", "warm", "10 Mbit/s")


def measure_loads(browser, server: Server, solution: str, loads: int) -> dict[tuple[str, str, str], list[float]]:
    """(kind, what, condition) to milliseconds; stock and ours take turns, so that a busy minute meets both."""
    found: dict[tuple[str, str, str], list[float]] = {}
    for _ in range(loads):
        for (kind, what), load in LOADS.items():
            context = browser.new_context()
            page = context.new_page()
            found.setdefault((kind, what, "cold"), []).append(load(page, server, solution))
            page.wait_for_timeout(2500)  # the spare boots and leaves its snapshot
            found.setdefault((kind, what, "warm"), []).append(load(page, server, solution))
            context.close()
            context = browser.new_context()
            page = context.new_page()
            line = context.new_cdp_session(page)
            line.send("Network.enable")
            line.send("Network.emulateNetworkConditions", SLOW_LINE)
            found.setdefault((kind, what, "10 Mbit/s"), []).append(load(page, server, solution))
            context.close()
    return found


def measure_bytes(browser, folder: Path, solution: str) -> dict[str, int]:
    """Bytes a server sends: to read a page, and to its first verdict, by encoding."""
    found = {}
    for encoding in ("br", "gzip"):
        server = Server(folder / "served", encoding)
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{server.address}ours/exercises/{EXERCISE}.html")
        until(page, OURS_READY)
        page.wait_for_timeout(500)
        found[f"reading, {encoding}"] = server.sent
        page.evaluate(RUN, solution)
        found[f"to the first verdict, {encoding}"] = server.sent
        context.close()
    return found


def measure_use(browser, server: Server, solution: str, loads: int) -> dict[str, list[float]]:
    """Milliseconds of what a reader does on a warm page."""
    found: dict[str, list[float]] = {"submit to verdict, 184": [], "stop to usable": [], "knee search in the lab": []}
    page = browser.new_context().new_page()
    load_ours(page, server, solution)
    for _ in range(loads):
        page.wait_for_timeout(1500)
        found["submit to verdict, 184"].append(page.evaluate(RUN, solution)["took"])
        page.wait_for_timeout(1500)
        found["stop to usable"].append(page.evaluate(STOP))
    page.goto(f"{server.address}ours/lab.html")
    until(page, "document.querySelector('#lab')?.dataset.drawn")
    for number in range(loads):
        page.fill("#lab-peak", str(100 + number))
        page.keyboard.press("Enter")
        until(page, f"Number(document.querySelector('#lab').dataset.drawn) >= {number + 2}")
        found["knee search in the lab"].append(float(page.evaluate("document.querySelector('#lab').dataset.kneeMs")))
    page.context.close()
    return found


STOP = """async () => {
  const { page } = document.querySelector("#judge");
  const judging = page.judging.judge("def plan(*a, **m):\\n    while True: pass\\n", {});
  await new Promise((resolve) => setTimeout(resolve, 600));
  const began = performance.now();
  page.judging.stop();
  await judging;
  const worker = await page.pool.take();
  await worker.ask("syntax", { source: "x = 1" });
  const took = performance.now() - began;
  page.pool.end(worker);
  return took;
}"""


def measure_offline(browser, folder: Path, solution: str, loads: int) -> list[float]:
    """Milliseconds from an offline reload to Python ready, by the service worker alone."""
    from practice.bundle.offline import write_service_worker

    site, took = folder / "served/ours", []
    write_service_worker(site)
    server = Server(folder / "served")
    context = browser.new_context()
    page = context.new_page()
    load_ours(page, server, solution)
    until(page, "navigator.serviceWorker.controller !== null")
    page.wait_for_timeout(4000)
    context.set_offline(True)
    for _ in range(loads):
        page.reload()
        until(page, OURS_READY)
        took.append(page.evaluate(RUN, solution)["ready"])
        page.wait_for_timeout(1500)
    context.close()
    (site / "sw.js").unlink()
    return took


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--loads", type=int, default=5)
    loads = parser.parse_args().loads
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        prepare(folder)
        solution = (ROOT / "exercises" / EXERCISE / "solution.py").read_text()
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        server = Server(folder / "served")
        times = measure_loads(browser, server, solution, loads)
        print(f"{'from navigation, s':<22} {'stock':>22} {'ours':>22} {'ratio':>7}   (min / median / max of {loads})")
        for what in ("ready", "verdict"):
            for condition in CONDITIONS:
                stock, ours = ([value / 1000 for value in times[kind, what, condition]] for kind in ("stock", "ours"))
                part = statistics.median(ours) / statistics.median(stock)
                print(f"{what + ', ' + condition:<22} {spread(stock):>22} {spread(ours):>22} {part:>7.2f}")
        for row, count in measure_bytes(browser, folder, solution).items():
            print(f"bytes {row:<34} {count / 1e6:>10.3f} MB")
        for row, values in measure_use(browser, server, solution, loads).items():
            print(f"{row:<40} {spread(values, 1):>24} ms")
        print(f"{'offline reload to ready':<40} {spread(measure_offline(browser, folder, solution, loads), 0):>24} ms")
        browser.close()


def spread(values: list[float], digits: int = 2) -> str:
    return " / ".join(f"{value:.{digits}f}" for value in (min(values), statistics.median(values), max(values)))


if __name__ == "__main__":
    main()
