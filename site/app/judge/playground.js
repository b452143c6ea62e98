// Free code in a disposable worker: what it prints and the figures it shows. The simulator is there, and numpy where the bundle has it.

import { openBundle } from "./bundle.js";
import { element } from "./dom.js";
import { safeFigure } from "./figure.js";
import { Ended, Pool } from "./pool.js";
import { Texts } from "./texts.js";

const LIMIT = 60; // seconds a run may take
const MEMORY = 512 * 2 ** 20;
const EXAMPLE = `# The 7B instance of the chapter on load tests: BF16 on one H100.
from sim import Setup, Slo, knee, line_plot, simulate, summarize

setup = Setup(
    params=7.6e9,
    weight_bytes=15.2e9,
    kv_bytes_per_token=57_344,
    kv_capacity_tokens=int(55e9 / 57_344),
)
slo = Slo(ttft=1.0, tpot=0.040)
print(f"knee: {knee(setup, slo, 1024, 256):.1f} requests/s")

rates = [2, 6, 10, 14, 18, 20, 22, 24]
results = [summarize(simulate(setup, rate, 2000, 1024, 256), *slo) for rate in rates]
tpot = [result["tpot_p99"] * 1000 for result in results]
show(line_plot(
    [("P99", rates, tpot)], limit=40,
    title="Time per output token", x_label="requests/s", y_label="ms",
))
`;

class Playground {
  #worker = null;

  constructor(place, bundle) {
    this.place = place;
    this.pool = new Pool(bundle, { numpy: "numpy" in bundle.names });
    const button = (words, onclick, more = {}) => element("button", { type: "button", onclick, ...more }, words);
    this.runButton = button("Run", () => this.run(), { disabled: true });
    this.stopButton = button("Stop", () => this.stop(), { class: "quiet stop", hidden: true });
    this.state = element("span", { class: "judge-state", role: "status" });
    this.editorPlace = element("div", { class: "judge-editor" });
    this.panel = element("section", { class: "play-earlier", "aria-label": "Earlier texts" });
    this.texts = new Texts("playground", { starter: EXAMPLE, noun: "program", panel: this.panel });
    this.output = element("pre", { class: "play-output", tabindex: "0", role: "log", "aria-label": "Output" });
    this.figures = element("div", { class: "play-figures" });
    place.replaceChildren(
      element("div", { class: "judge-bar" }, this.runButton, this.stopButton, this.state, this.texts.buttons),
      this.texts.notice,
      this.editorPlace,
      element("p", { class: "judge-keys" }, "Ctrl+Enter runs. show(svg) shows a figure. Tab indents: press Esc, then Tab to leave the editor."),
      this.panel,
      this.output,
      this.figures,
    );
  }

  async open() {
    await this.texts.open(this.editorPlace, {
      label: "Python to run",
      submit: () => this.run(),
      run: () => this.run(),
      complete: async (question) => (this.pool.isReady && !this.#worker ? (await this.pool.idle()).ask("complete", question).catch(() => null) : null),
    });
    this.editor = this.texts.editor;
    this.runButton.disabled = false;
    this.place.addEventListener("focusin", () => this.pool.warm(), { once: true });
    this.place.page = this;
    this.place.dataset.ready = "";
  }

  async run() {
    if (this.#worker) return;
    this.#worker = "starting";
    this.runButton.disabled = true;
    this.stopButton.hidden = false;
    this.state.textContent = this.pool.isReady ? "Running" : "Python is loading";
    this.output.textContent = "";
    this.figures.replaceChildren();
    let ending = "";
    let timer = 0;
    try {
      const worker = await this.pool.take();
      this.#worker = worker;
      this.state.textContent = "Running";
      timer = setTimeout(() => this.pool.end(worker, "time"), LIMIT * 1000);
      const { error } = await worker.ask("play", { source: this.editor.text }, { heard: (message) => this.hear(message), memory: MEMORY });
      if (error) this.output.append(element("span", { class: "bad" }, error));
    } catch (error) {
      if (!(error instanceof Ended)) ending = `Python did not run: ${error.message}`;
      else ending = { stopped: "Stopped", time: `Ended after ${LIMIT} s` }[error.why] ?? `Python ended: ${error.why}`;
    } finally {
      clearTimeout(timer);
      if (this.#worker?.ask) this.pool.end(this.#worker);
      this.#worker = null;
      this.runButton.disabled = false;
      this.stopButton.hidden = true;
      this.state.textContent = ending || "Done";
    }
  }

  stop() {
    if (this.#worker?.ask) this.pool.end(this.#worker, "stopped");
    else this.pool.cancel();
  }

  hear({ output, figure }) {
    if (output) this.output.append(output);
    const drawn = figure && safeFigure(figure);
    if (drawn) this.figures.append(element("div", { class: "play-figure" }, drawn));
  }
}

const place = document.getElementById("play");
if (place) {
  try {
    await new Playground(place, await openBundle(place)).open();
  } catch (error) {
    place.replaceChildren(element("p", {}, `The playground did not load: ${error.message}`));
  }
}
