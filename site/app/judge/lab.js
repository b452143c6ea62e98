// The capacity lab: controls, curves and a fleet, recomputed by the simulator in a worker while a slider moves.

import { count, money, round } from "./amounts.js";
import { openBundle } from "./bundle.js";
import { curves } from "./curves.js";
import { element } from "./dom.js";
import { Pool } from "./pool.js";

/** Controls with numbers: key, words, least, most, steps of the slider's scale ("log" or a step), unit as typed and its size. */
const NUMBERS = [
  ["input_len", "Prompt", 16, 128000, "log", "tokens", 1],
  ["output_len", "Answer", 2, 8000, "log", "tokens", 1],
  ["ttft", "TTFT at most", 50, 20000, "log", "ms", 1e-3],
  ["tpot", "TPOT at most", 2, 500, "log", "ms", 1e-3],
  ["peak", "Peak rate", 0.1, 10000, "log", "requests/s", 1],
  ["headroom", "Headroom", 0, 200, 5, "%", 1e-2],
  ["spares", "Spare instances", 0, 8, 1, "", 1],
  ["price", "Price of a GPU-hour", 0, 20, 0.05, "$", 1],
];
const ENGINE = [
  ["mfu", "Peak FLOP/s reached", 5, 100, 1, "%", 1e-2],
  ["step_overhead", "Overhead of a step", 0, 20, 0.1, "ms", 1e-3],
  ["max_num_batched_tokens", "Token budget of a step", 64, 65536, "log", "tokens", 1],
  ["max_num_seqs", "Requests at once", 1, 4096, "log", "", 1],
  ["requests", "Requests simulated", 200, 4000, "log", "", 1],
];
const WHOLE = new Set(["input_len", "output_len", "spares", "max_num_batched_tokens", "max_num_seqs", "requests"]);
const LISTS = [["model", "Model"], ["gpu", "GPU"], ["tp", "Tensor parallel"], ["weights", "Weights"], ["kv", "KV cache"]];

class Lab {
  #version = 0;
  #busy = null;

  constructor(place, pool, choices) {
    this.place = place;
    this.pool = pool;
    this.choices = choices;
    this.plan = { ...choices.start, ...fromAddress(choices) };
    this.ownsPrice = this.plan.price > 0 && !(this.plan.price === choices.start.price && this.plan.gpu === choices.start.gpu);
    this.fields = {};
    this.build();
    this.showPrice();
    this.changed();
  }

  build() {
    this.state = element("p", { class: "lab-state", role: "status" });
    this.result = element("div", { class: "lab-result" });
    this.charts = element("div", { class: "lab-charts" });
    this.code = element("div", { class: "lab-code" });
    const controls = element("form", { class: "lab-controls", onsubmit: (event) => event.preventDefault(), "aria-label": "Controls" },
      LISTS.map((list) => this.list(...list)), this.realism(), NUMBERS.map((number) => this.number(...number)),
      element("details", { class: "lab-engine" }, element("summary", {}, "Engine and search"), ENGINE.map((number) => this.number(...number))));
    this.place.replaceChildren(element("div", { class: "lab-grid" }, controls, element("div", { class: "lab-out" }, this.state, this.result, this.charts, this.code)));
  }

  list(key, words) {
    const text = { model: ({ key: name, gb }) => [name, `${name} (${round(gb)} GB in 16 bits)`], gpu: ({ key: name, name: title, price }) => [name, price ? `${title}, $${price}/h` : title] };
    const options = this.choices[{ model: "models", gpu: "gpus" }[key] ?? key].map((choice) => {
      const [value, label] = text[key]?.(choice) ?? [choice, String(choice)];
      return element("option", { value, selected: String(value) === String(this.plan[key]) }, label);
    });
    const select = element("select", { id: `lab-${key}`, onchange: () => this.choose(key, key === "tp" ? Number(select.value) : select.value) }, options);
    return element("div", { class: "lab-control" }, element("label", { for: `lab-${key}` }, words), select);
  }

  realism() {
    const box = element("input", { type: "checkbox", id: "lab-realistic", checked: this.plan.realistic, onchange: () => this.set("realistic", box.checked) });
    return element("div", { class: "lab-control lab-check" }, box, element("label", { for: "lab-realistic" }, "Attention FLOPs, all-reduces, experts"));
  }

  number(key, words, least, most, scale, unit, size) {
    const isLog = scale === "log";
    const toSlider = (value) => (isLog ? Math.log(value / least) / Math.log(most / least) * 1000 : value);
    const fromSlider = (at) => (isLog ? tidy(least * (most / least) ** (at / 1000), WHOLE.has(key)) : at);
    const shown = () => Number((this.plan[key] / size).toPrecision(6));
    const hint = key === "price" ? element("p", { class: "lab-hint", id: "lab-price-hint" }) : null;
    const slider = element("input", { type: "range", min: isLog ? 0 : least, max: isLog ? 1000 : most, step: isLog ? 1 : scale, "aria-label": words, oninput: () => enter(fromSlider(Number(slider.value))) });
    const field = element("input", { type: "number", id: `lab-${key}`, min: least, max: most, step: "any", "aria-describedby": hint?.id, onchange: () => slide(enter(Number(field.value))) });
    const show = (value) => {
      field.value = value;
      slider.setAttribute("aria-valuetext", `${value.toLocaleString("en")} ${unit}`.trim()); // its own value may be a place on a log scale
    };
    const slide = (value) => (slider.value = toSlider(value)); // never while it is moved: rounding would hold it in place
    const enter = (value) => {
      const whole = WHOLE.has(key) ? Math.round(value) : value;
      const kept = Math.min(most, Math.max(least, Number.isFinite(whole) ? whole : least));
      show(kept);
      if (key === "price") this.ownsPrice = kept > 0;
      this.set(key, Number((kept * size).toPrecision(9)));
      return kept;
    };
    this.fields[key] = { hint, show: (value) => (show(value), slide(value)) };
    this.fields[key].show(shown());
    return element("div", { class: "lab-control" }, element("label", { for: `lab-${key}` }, words, unit ? element("span", { class: "unit" }, `, ${unit}`) : null), element("div", { class: "lab-number" }, slider, field), hint);
  }

  /** One of a list was chosen; another GPU brings its own price, unless the reader has entered one. */
  choose(key, value) {
    if (key === "gpu" && !this.ownsPrice) {
      this.plan.price = 0;
      this.fields.price.show(0);
    }
    this.set(key, value);
  }

  set(key, value) {
    this.plan[key] = value;
    this.showPrice();
    toAddress(this.plan);
    this.changed();
  }

  /** Whose price counts: the chapter's, at the start; the catalogue's, where none is set; or the reader's. */
  priceOwner() {
    if (!this.plan.price) return "the catalogue's";
    return this.ownsPrice ? "yours" : "the chapter's";
  }

  showPrice() {
    const { price } = this.choices.gpus.find((gpu) => gpu.key === this.plan.gpu);
    const known = price ? `the catalogue's, $${money(price)}` : "";
    const words = this.plan.price
      ? `This is ${this.priceOwner()}; ${known ? `0 takes ${known}` : "the catalogue has none for this GPU"}`
      : known ? `0 takes ${known}` : "The catalogue has none for this GPU: enter one here";
    this.fields.price.hint.textContent = words;
  }

  /** Recomputes; a newer change makes an older one stop after the question that is on its way. */
  async changed() {
    const version = ++this.#version;
    while (this.#busy) await this.#busy;
    if (version !== this.#version) return;
    let free;
    this.#busy = new Promise((resolve) => (free = resolve));
    try {
      await this.compute(() => version === this.#version);
    } catch (error) {
      this.state.textContent = `The simulator did not answer: ${error.message}`;
    } finally {
      this.#busy = null;
      free();
    }
  }

  async compute(isCurrent) {
    const plan = { ...this.plan };
    const worker = await this.pool.idle();
    const began = performance.now();
    const found = await worker.ask("lab", { ...plan, part: "plan" });
    this.place.dataset.kneeMs = (performance.now() - began).toFixed(1);
    if (!isCurrent()) return;
    this.showPlan(plan, found);
    if (found.error) return;
    const points = [];
    for (const rate of found.rates) {
      points.push(await worker.ask("lab", { ...plan, part: "point", rate }));
      if (!isCurrent()) return;
      if (points.length > 2) this.charts.replaceChildren(...curves(plan, found, points, this.charts.querySelector("details")?.open ?? false));
    }
    this.place.dataset.drawn = String(Number(this.place.dataset.drawn ?? 0) + 1);
  }

  showPlan(plan, found) {
    this.state.textContent = found.error ?? "";
    this.result.hidden = this.charts.hidden = this.code.hidden = Boolean(found.error);
    if (found.error) return;
    const tile = (words, value, note = "") => element("div", { class: "lab-tile" }, element("span", { class: "lab-words" }, words), element("strong", {}, value), element("span", { class: "lab-words" }, note));
    const { fleet } = found;
    this.result.replaceChildren(
      tile("one instance takes", found.knee ? `${round(found.knee)} requests/s` : "nothing", found.knee ? `with 99% inside the SLO, on ${count(plan.tp, "GPU")}` : `even ${round(found.low)} requests/s, the lowest rate tried, misses the SLO`),
      ...(fleet ? [
        tile("fleet", count(fleet.instances, "instance"), `${count(fleet.gpus, "GPU")}, ${count(plan.spares, "spare")}`),
        tile("cost", found.price ? `$${money(fleet.cost_per_hour)}/h` : "no price known", found.price ? `$${money(found.price)} a GPU-hour, ${this.priceOwner()}` : "enter a price of a GPU-hour among the controls"),
        tile("a million output tokens", found.price ? `$${money(fleet.cost_per_million_output_tokens)}` : "–", found.price ? "at the peak rate" : "needs that price"),
      ] : []),
    );
    const pre = element("pre", { class: "code", tabindex: "0" }, element("code", {}, found.code));
    const copy = element("button", { type: "button", class: "quiet small", onclick: () => copyText(found.code, pre, copy) }, "Copy");
    const rows = found.steps.map((step) => element("tr", {}, element("td", {}, element("code", {}, step.field)), element("td", { class: "right" }, round(step.value, 6)), element("td", {}, step.how)));
    const isOpen = this.code.querySelector("details")?.open ?? false;
    this.code.replaceChildren(
      element("h2", {}, "The same in Python"), copy, pre,
      element("details", { open: isOpen }, element("summary", {}, "How the setup came about"), element("div", { class: "table" }, element("table", {}, rows))),
    );
  }
}

/** A round number near the slider's place. */
function tidy(value, isWhole) {
  const digits = isWhole && value < 100 ? 2 : 3;
  const rounded = Number(value.toPrecision(digits));
  return isWhole ? Math.round(rounded) : rounded;
}

/** The plan that the address carries after the `#`, as far as it makes sense. */
function fromAddress(choices) {
  const found = {};
  const lists = { model: choices.models.map((one) => one.key), gpu: choices.gpus.map((one) => one.key), weights: choices.weights, kv: choices.kv };
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    const number = [...NUMBERS, ...ENGINE].find(([name]) => name === key);
    if (lists[key]?.includes(text)) found[key] = text;
    else if (key === "tp" && choices.tp.includes(Number(text))) found.tp = Number(text);
    else if (key === "realistic") found.realistic = text === "true";
    else if (number && Number.isFinite(Number(text))) {
      const [, , least, most, , , size] = number;
      const kept = Math.min(most * size, Math.max(least * size, Number(text)));
      found[key] = WHOLE.has(key) ? Math.round(kept) : kept;
    }
  }
  if (found.gpu && found.gpu !== choices.start.gpu) found.price ??= 0; // the start's price is of its own GPU
  return found;
}

function toAddress(plan) {
  history.replaceState(null, "", `#${new URLSearchParams(plan)}`);
}

async function copyText(text, pre, button) {
  getSelection().selectAllChildren(pre);
  try {
    await navigator.clipboard.writeText(text); // absent on plain HTTP, and may be refused
    button.textContent = "Copied";
  } catch {
    button.textContent = "Selected: copy with Ctrl+C";
  }
}

const place = document.getElementById("lab");
if (place) {
  try {
    const pool = new Pool(await openBundle(place));
    await pool.warm();
    place.dataset.readyAt = performance.now().toFixed(0);
    const choices = await (await pool.idle()).ask("lab", { part: "choices" });
    const lab = new Lab(place, pool, choices);
    addEventListener("hashchange", () => {
      if (document.getElementById(location.hash.slice(1))) toAddress(lab.plan); // a jump within the page, as to its main part
      else location.reload(); // another setup was put into the address
    });
    place.dataset.ready = "";
  } catch (error) {
    place.replaceChildren(element("p", {}, `Python did not load: ${error.message}. In a checkout, \`python judge.py knee\` computes the same.`));
  }
}
