"""An exercise judged in a real browser: the verdict, what can go wrong in a submission, and the way out of it."""

import json
import time

import pytest

from practice.bundle.build import exercise_json
from practice.bundle.site import readable
from practice.kernel.door import judge_json

from .conftest import Server, open_exercise, press, submit, until, write

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FREE = "def plan(*args, **more):\n    {}\n"


def of(checkout, number):
    return next(exercise for exercise in readable(checkout) if exercise.number == number)


def test_sample_of_submissions_gets_the_shell_s_words_in_the_page(page, server, checkout):
    for exercise in readable(checkout):
        open_exercise(page, server, exercise.id)
        for text, expected in [(exercise.solution, "accepted"), (exercise.wrong[0].source, None)]:
            status, told = submit(page, text)
            if expected:
                assert status == expected, (exercise.id, told)
                continue
            seed = int(told.split("seed ")[1].split()[0])
            request = {"format": 1, "exercise": json.loads(exercise_json(exercise)), "submission": text, "seed": seed}
            verdict = json.loads(judge_json(json.dumps(request)))
            check = next(one for one in verdict["checks"] if one["status"] != "accepted")
            assert status == verdict["status"] and check["title"] in told, (exercise.id, told)
            for words in (check["idea"], check["expected"][:40]):
                assert words.replace("int64", "int") in told.replace("int32", "int"), (exercise.id, words, told)
            assert not check["idea"] or told.count(check["idea"]) == 1, (exercise.id, told)


def test_a_loop_is_ended_by_the_page_and_the_next_run_starts_at_once(page, server, checkout):
    open_exercise(page, server)
    solution = of(checkout, 184).solution
    submit(page, solution)
    status, told = submit(page, FREE.format("while True: pass"))
    assert status == "time limit" and "no answer within 3 s" in told and "0 of 13 checks passed" in told
    assert submit(page, solution)[0] == "accepted"


def test_a_loop_that_swallows_everything_and_a_regex_are_ended_too(page, server):
    open_exercise(page, server)
    loop = "while True:\n        try:\n            while True: pass\n        except BaseException: pass"
    assert submit(page, FREE.format(loop))[0] == "time limit"
    assert submit(page, "import re\n" + FREE.format("re.match('(a*)*b', 'a' * 60)"))[0] == "time limit"


def test_stop_ends_what_runs_and_leaves_the_editor_usable(page, server, checkout):
    open_exercise(page, server)
    write(page, FREE.format("while True: pass"))
    press(page, "Submit")
    until(page, "document.querySelector('.running')")
    press(page, "Stop")
    until(page, "document.querySelector('.judge-verdict').textContent === 'Stopped.'")
    assert submit(page, of(checkout, 184).solution)[0] == "accepted"


@pytest.fixture
def slow_site(site):
    """A server of its own, whose paths may be made late."""
    server = Server(site.parent)
    yield server
    server.close()


def test_nothing_can_be_submitted_before_the_editor_is_there(page, slow_site):
    slow_site.late.add("vendor/editor.js")
    page.goto(f"{slow_site.address}exercises/184-fleet-size.html")
    until(page, "document.querySelector('.judge-bar button')")
    assert page.evaluate("[...document.querySelectorAll('.judge-bar > button')].slice(0, 2).every(button => button.disabled)")
    until(page, "document.querySelector('#judge').hasAttribute('data-ready')")
    assert submit(page, FREE.format("return {}"))[0] == "wrong answer"


def test_stop_works_while_python_is_loading(page, slow_site):
    slow_site.late.add("pyodide")
    open_exercise(page, slow_site)
    press(page, "Submit")
    assert page.inner_text(".judge-state") == "Python is loading"
    press(page, "Stop")
    assert page.inner_text(".judge-verdict") == "Stopped."
    assert not page.evaluate("document.querySelector('#judge').page.pool.isReady")
    assert submit(page, FREE.format("return {}"))[0] == "wrong answer"


def test_a_verdict_leaves_submit_in_view_and_the_focus_on_it(page, server):
    open_exercise(page, server)
    write(page, FREE.format("return {}") + "\n# more" * 200)
    page.focus(".judge-bar button")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.judge-verdict').dataset.status")
    page.evaluate("document.querySelector('.judge-verdict').scrollIntoView({ block: 'end' })")  # hints and the next exercise follow below it
    page.wait_for_timeout(100)
    box = page.evaluate("(({ top, bottom }) => [top, bottom])(document.querySelector('.judge-bar button').getBoundingClientRect())")
    assert 0 < box[0] < box[1] < 800
    assert page.evaluate("document.activeElement.textContent") == "Submit"


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("x = []\n    while True: x.append(bytes(10**6))", "memory limit", "memory"),
        ("import os; os._exit(3)", "runtime error", "ended before it answered (exit code 3)"),
        ("import sys; sys.exit(0)", "runtime error", "SystemExit"),
        ("x = []\n    for _ in range(10**6): x = [x]\n    return repr(x)", "runtime error", ""),
        ("while True: print('x' * 10_000)", "output limit", "printed more than 64 KiB"),
        ("raise KeyboardInterrupt", "runtime error", ""),
        ("f = lambda: f()\n    import sys; sys.setrecursionlimit(10**9)\n    return f()", "runtime error or time limit or memory limit", ""),
    ],
)
def test_what_would_kill_an_interpreter_is_a_verdict_and_never_a_hang(page, server, checkout, body, status, words):
    open_exercise(page, server)
    found, told = submit(page, FREE.format(body))
    assert found in status.split(" or "), told
    assert words in told
    page.context.said.clear()  # Pyodide prints a fatal error of its interpreter
    assert submit(page, of(checkout, 184).solution)[0] == "accepted"


PROBE = """
import asyncio, json
seen = {}
def attempt(name, act):
    try:
        seen[name] = repr(act())[:80]
    except BaseException as error:
        seen[name] = "stopped: " + type(error).__name__
try:
    import js, pyodide_js
    from pyodide.code import run_js
    attempt("eval", lambda: run_js("1+1"))
    world = None
    for path in ("pyodide_js._module", "js"):
        try:
            world = eval(path)
        except BaseException:
            continue
    attempt("fetch", lambda: js.fetch)
    attempt("indexedDB", lambda: js.indexedDB)
    attempt("localStorage", lambda: js.localStorage)
    attempt("self", lambda: js.self)
    attempt("function", lambda: js.Object.constructor("return 1")())
    attempt("socket", lambda: __import__("socket").create_connection(("127.0.0.1", PORT), 1))
    attempt("urllib", lambda: __import__("urllib.request").request.urlopen("http://127.0.0.1:PORT/practice/leak-urllib"))
    attempt("http", lambda: __import__("pyodide.http").http.open_url("http://127.0.0.1:PORT/practice/leak-open-url"))
except BaseException as error:
    seen["import"] = "stopped: " + type(error).__name__
print(json.dumps(seen))
def plan(*args, **more):
    return {}
"""


def test_a_submission_reaches_neither_network_nor_storage_nor_the_page(page, server):
    open_exercise(page, server)
    port = server.address.split(":")[2].split("/")[0]
    before = len(server.asked)
    status, told = submit(page, PROBE.replace("PORT", port))
    assert status == "wrong answer", told
    seen = json.loads(next(line for line in page.inner_text(".printed pre").splitlines() if line.startswith("{")))
    assert all(answer.startswith("stopped") for answer in seen.values()), seen
    assert not [path for path in server.asked[before:] if "leak" in path]


WORKER_PROBE = """async () => {
  // The same from JavaScript, with everything a worker has: what the frame's policy and its missing origin leave of it.
  const pool = document.querySelector("#judge").page.pool;
  const { frame } = pool.bundle;
  const code = `onmessage = async ({ data: target, ports: [port] }) => {
    const seen = { origin: self.origin };
    const attempt = async (name, act) => { try { seen[name] = String(await act()).slice(0, 80); } catch (error) { seen[name] = "stopped: " + error.name; } };
    await attempt("fetch", () => fetch(target + "leak-fetch", { mode: "no-cors" }));
    await attempt("xhr", () => new Promise((yes, no) => { const x = new XMLHttpRequest(); x.onload = () => yes("open"); x.onerror = () => no(new TypeError()); x.open("GET", target + "leak-xhr"); x.send(); }));
    await attempt("socket", () => new Promise((yes, no) => { const s = new WebSocket(target.replace("http", "ws") + "leak-ws"); s.onopen = () => yes("open"); s.onerror = () => no(new TypeError()); }));
    await attempt("events", () => new Promise((yes, no) => { const s = new EventSource(target + "leak-events"); s.onopen = () => yes("open"); s.onerror = () => no(new TypeError()); }));
    await attempt("import", () => import(target + "leak-import.js"));
    await attempt("scripts", () => importScripts(target + "leak-scripts.js"));
    await attempt("nested", () => new Promise((yes, no) => { const w = new Worker(target + "leak-worker.js"); w.onmessage = () => yes("open"); w.onerror = () => no(new TypeError()); }));
    await attempt("indexedDB", () => new Promise((yes, no) => { const r = indexedDB.open("practice"); r.onsuccess = () => yes("open"); r.onerror = () => no(r.error); }));
    await attempt("caches", () => caches.open("x"));
    await attempt("eval", () => (0, eval)("1 + 1"));
    await attempt("function", () => new Function("return 1")());
    port.postMessage(seen);
  };`;
  const made = document.createElement("iframe");
  made.setAttribute("sandbox", "allow-scripts");
  made.srcdoc = frame;
  const ready = new Promise((resolve) => addEventListener("message", ({ source }) => source === made.contentWindow && resolve()));
  document.body.append(made);
  await ready;
  const control = new MessageChannel(), own = new MessageChannel();
  const answer = new Promise((resolve) => (own.port1.onmessage = ({ data }) => resolve(data)));
  made.contentWindow.postMessage(null, "*", [control.port2]);
  control.port1.postMessage({ do: "part", name: "worker", value: code.replace("data: target", "data: { runtime: target }") });
  control.port1.postMessage({ do: "start", id: 1, runtime: new URL("../", location.href).href }, [own.port2]);
  return answer;
}"""


def test_not_even_javascript_in_the_worker_reaches_anything(page, server):
    open_exercise(page, server)
    before = len(server.asked)
    seen = page.evaluate(WORKER_PROBE)
    assert seen.pop("origin") == "null"
    assert all(answer.startswith("stopped") for answer in seen.values()), seen
    assert not [path for path in server.asked[before:] if "leak" in path]
    page.context.said.clear()  # each refusal is an error on the console, as it should be


def test_hostile_words_are_shown_as_text(page, server):
    open_exercise(page, server)
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    status, told = submit(page, FREE.format(f"print({evil!r}); raise ValueError({evil!r})"))
    assert status == "runtime error" and "<img src=x" in told
    assert page.evaluate("document.querySelectorAll('.judge-verdict img, .judge-verdict script').length") == 0


def test_syntax_errors_are_underlined_by_python_s_own_parser(page, server):
    open_exercise(page, server)
    page.click(".cm-content")
    until(page, "document.querySelector('.judge-state').textContent === 'Python is ready'")
    write(page, "def plan(:\n    pass\n")
    until(page, "document.querySelector('.judge-editor').shadowRoot.querySelector('.cm-lintRange-error')")
    write(page, "def plan():\n    pass\n")
    until(page, "!document.querySelector('.judge-editor').shadowRoot.querySelector('.cm-lintRange-error')")


def test_everything_works_from_the_keyboard_and_the_verdict_is_announced(page, server, checkout):
    open_exercise(page, server)
    write(page, of(checkout, 184).solution)
    page.click(".cm-content")
    page.keyboard.press("Shift+Enter")
    until(page, "document.querySelector('.judge-verdict').dataset.status === 'accepted'")
    assert "examples passed" in page.inner_text(".judge-verdict")
    page.keyboard.press("Control+Enter")
    until(page, "document.querySelector('.verdict-headline')?.textContent === 'all 13 checks passed'")
    assert page.inner_text("#judge [aria-live]").startswith("accepted. all 13 checks passed")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.judge-editor') === null")


def test_reading_a_page_loads_no_python(page, server):
    before = len(server.asked)
    open_exercise(page, server)
    time.sleep(0.5)
    assert not [path for path in server.asked[before:] if path.endswith((".wasm", ".mjs"))]
