// An exercise page: the editor, Submit and Run, the verdict. Started by the page when it holds an element with the id `judge`.

import { openBundle } from "./bundle.js";
import { element } from "./dom.js";
import { keepSubmission } from "./history.js";
import { Judging } from "./judging.js";
import { Pool } from "./pool.js";
import { record } from "./progress.js";
import { addSplit } from "./split.js";
import { Texts } from "./texts.js";
import { announcement, Running, verdictPanel } from "./verdict.js";

const SYNTAX_DELAY = 400; // milliseconds after the last key

class Page {
  #syntaxTimer = 0;

  constructor(place, bundle, exercise) {
    this.id = place.dataset.exercise;
    this.place = place;
    this.exercise = exercise;
    this.pool = new Pool(bundle, { numpy: exercise.requires.includes("numpy") });
    this.judging = new Judging(this.pool, exercise);
    this.isRunning = false;
    this.hasStarted = false;
    this.build();
    // Python is loaded when someone is about to use it, even before the editor is there: reading costs nothing.
    for (const event of ["focusin", "pointerdown"]) place.addEventListener(event, () => this.warm(), { once: true });
    place.page = this; // for tests, and for whoever looks with the developer tools
  }

  build() {
    const button = (words, onclick, more = {}) => element("button", { type: "button", onclick, ...more }, words);
    this.submitButton = button("Submit", () => this.run(false), { title: "Ctrl+Enter", disabled: true });
    this.runButton = button("Run examples", () => this.run(true), { class: "quiet", title: "Shift+Enter", disabled: true });
    this.stopButton = button("Stop", () => this.judging.stop(), { class: "quiet stop", hidden: true });
    this.state = element("span", { class: "judge-state" });
    this.editorPlace = element("div", { class: "judge-editor" });
    this.panel = element("section", { class: "judge-verdict", "aria-label": "Verdict", tabindex: "-1" });
    this.live = element("p", { class: "unseen", role: "status", "aria-live": "polite" });
    this.texts = new Texts(this.id, { starter: this.exercise.starter, noun: "submission", panel: this.panel });
    this.place.replaceChildren(
      element("h2", { class: "unseen" }, "Your answer"),
      element("div", { class: "judge-bar" }, this.submitButton, this.runButton, this.stopButton, this.state, this.texts.buttons),
      this.texts.notice,
      this.editorPlace,
      element("p", { class: "judge-keys" }, "Ctrl+Enter submits, Shift+Enter runs the examples. Tab indents: press Esc, then Tab to leave the editor."),
      this.panel,
      this.live,
    );
  }

  async open() {
    await this.texts.open(this.editorPlace, {
      label: `Your answer to exercise ${this.exercise.number}, Python`,
      submit: () => this.run(false),
      run: () => this.run(true),
      changed: () => this.changed(),
      complete: (question) => this.ask("complete", question),
    });
    this.submitButton.disabled = this.runButton.disabled = false;
    this.noteHints();
    this.place.dataset.ready = "";
  }

  get editor() {
    return this.texts.editor;
  }

  get draft() {
    return this.texts.draft;
  }

  warm() {
    if (this.pool.warmed) return;
    this.say("Python is loading");
    this.pool.warm().then(
      () => this.say("Python is ready"),
      (error) => this.say(`Python did not load: ${error.message}. The command below judges on your machine`),
    );
  }

  say(words) {
    if (!this.isRunning) this.state.textContent = words;
  }

  changed() {
    if (!this.hasStarted) record("start", this.exercise.number);
    this.hasStarted = true;
    clearTimeout(this.#syntaxTimer);
    this.#syntaxTimer = setTimeout(() => this.checkSyntax(), SYNTAX_DELAY);
  }

  /** A question that runs none of the reader's code; null while Python is not there. */
  async ask(verb, question) {
    if (!this.pool.warmed || this.isRunning) return null;
    return this.pool.idle().then((worker) => worker.ask(verb, question)).catch(() => null);
  }

  async checkSyntax() {
    const source = this.editor.text;
    const found = await this.ask("syntax", { source });
    if (this.editor.text === source) this.editor.showSyntax(found);
  }

  async run(examplesOnly) {
    if (this.isRunning) return;
    this.isRunning = true;
    const focused = document.activeElement; // a button that is disabled loses it
    this.setRunning(true, this.pool.isReady ? "Judging" : "Python is loading");
    this.draft.save();
    const text = this.editor.text;
    let running = null;
    try {
      const verdict = await this.judging.judge(text, {
        examplesOnly,
        names: (names) => {
          this.state.textContent = "Judging";
          running = new Running(names);
          this.panel.replaceChildren(running.node);
        },
        result: (result) => running?.add(result),
      });
      if (verdict) await this.show(verdict, text, examplesOnly);
      else this.panel.replaceChildren(element("p", {}, "Stopped."));
    } catch (error) {
      this.panel.replaceChildren(element("p", { class: "bad" }, `Python did not run: ${error.message}`));
    } finally {
      this.isRunning = false;
      this.setRunning(false, "");
      if (document.activeElement === document.body) focused.focus({ preventScroll: true });
    }
  }

  setRunning(runs, words) {
    this.submitButton.disabled = this.runButton.disabled = runs;
    this.stopButton.hidden = !runs;
    this.state.textContent = words;
    this.place.toggleAttribute("data-running", runs);
  }

  async show(verdict, text, examplesOnly) {
    if (verdict.error) throw new Error(verdict.error.message);
    // Kept before it is shown: who reads it and leaves at once loses nothing. A storage that does not answer holds nobody up.
    if (!examplesOnly) await Promise.race([this.keep(verdict, text), new Promise((resolve) => setTimeout(resolve, 1000))]);
    const known = Object.fromEntries(this.exercise.wrong.map((wrong) => [wrong.name, wrong.idea]));
    const further = verdict.status === "accepted" && !examplesOnly ? this.afterPass() : this.offerHint(verdict);
    this.panel.replaceChildren(verdictPanel(verdict, { known, examplesOnly, further, goTo: (line) => this.editor.goTo(line) }));
    this.panel.dataset.status = verdict.status;
    this.live.textContent = announcement(verdict);
    this.panel.scrollIntoView({ block: "nearest" });
  }

  keep(verdict, text) {
    const passed = verdict.checks.filter((check) => check.status === "accepted").length;
    const attempt = { status: verdict.status, passed, total: verdict.checks.length, seconds: verdict.seconds, seed: verdict.seed };
    return Promise.allSettled([keepSubmission(this.id, text, verdict), record("attempt", this.exercise.number, attempt)]);
  }

  afterPass() {
    const talk = document.querySelector(".after-talk");
    const next = document.querySelector(".following a");
    const open = () => {
      talk.open = true;
      talk.scrollIntoView();
    };
    return element(
      "p",
      { class: "verdict-further" },
      talk ? element("button", { type: "button", class: "quiet", onclick: open }, "What the interviewer asks next") : null,
      next ? element("a", { class: "button", href: next.href }, `Next: ${next.textContent}`) : null,
    );
  }

  offerHint(verdict) {
    const hint = [...document.querySelectorAll(".hints details")].find((one) => !one.open);
    if (!hint || verdict.status === "judge error" || verdict.status === "accepted") return null;
    const open = () => {
      hint.open = true;
      hint.scrollIntoView({ block: "center" });
    };
    return element("p", { class: "verdict-further" }, element("button", { type: "button", class: "quiet", onclick: open }, hint.querySelector("summary").textContent));
  }

  noteHints() {
    document.querySelectorAll(".hints details").forEach((hint, index) => {
      hint.addEventListener("toggle", () => hint.open && record("hint", this.exercise.number, { index: index + 1 }), { once: true });
    });
    document.querySelector(".after-talk")?.addEventListener("toggle", () => record("after", this.exercise.number), { once: true });
  }
}

async function start(place) {
  try {
    const bundle = await openBundle(place);
    const exercise = await bundle.exercise(place.dataset.exercise);
    const page = new Page(place, bundle, exercise);
    await page.open();
    document.querySelector(".starter")?.setAttribute("hidden", ""); // the editor holds it
    addSplit(document.querySelector("main.exercise"));
    for (const code of document.querySelectorAll("pre.code")) code.tabIndex = 0; // in a narrow column it scrolls sideways
  } catch (error) {
    place.replaceChildren(element("p", { class: "judge-notice" }, `The editor did not load: ${error.message}. The command below judges on your machine.`));
  }
}

const place = document.getElementById("judge");
if (place?.dataset.manifest) start(place);
