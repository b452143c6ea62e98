// A verdict as the page shows it: the shell's words in the shell's order (practice/cli/report.py).

import { element } from "./dom.js";

const SIGNS = { accepted: "✓", "not run": "·" };
const STATE = { accepted: "good", "judge error": "warm", "not run": "idle" };

const seconds = (value) => (value >= 0.0995 ? `${value.toFixed(2)} s` : `${(value * 1000).toFixed(value < 0.00995 ? 1 : 0)} ms`);
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** A list of checks that fills as the results come. */
export class Running {
  constructor(names) {
    this.items = new Map(names.map((name) => [name, element("li", { class: "check idle" }, "·")]));
    this.done = 0;
    this.told = element("p", { class: "running" }, `0 of ${plural(names.length, "check")}`);
    this.node = element("div", {}, this.told, element("ol", { class: "check-row", "aria-hidden": "true" }, [...this.items.values()]));
  }

  add(result) {
    const item = this.items.get(result.name);
    if (!item) return;
    item.className = `check ${stateOf(result.status)}`;
    item.textContent = signOf(result.status);
    item.title = result.title;
    this.done += result.status !== "not run";
    this.told.textContent = `${this.done} of ${plural(this.items.size, "check")}`;
  }
}

const stateOf = (status) => STATE[status] ?? "bad";
const signOf = (status) => SIGNS[status] ?? "✗";

/**
 * The panel of a verdict.
 * goTo: called with a line number of the submission; known: name to idea of the known-wrong submissions;
 * examplesOnly: whether only the examples ran; further: elements to show below (hints, after-talk, next exercise).
 */
export function verdictPanel(verdict, { goTo, known, examplesOnly, further = [] }) {
  const failed = verdict.checks.find((check) => !["accepted", "not run"].includes(check.status));
  const title = element("h3", { class: `verdict-title ${stateOf(verdict.status)}` }, `${signOf(verdict.status)} ${verdict.status}`);
  const scope = examplesOnly && verdict.status === "accepted" ? `${plural(verdict.checks.length, "example")} passed; submit for the other checks` : verdict.headline;
  return element(
    "div",
    { class: "verdict-body" },
    title,
    element("p", { class: "verdict-headline" }, scope),
    failed ? finding(failed, { goTo, known }) : null,
    printed(verdict.output),
    checkList(verdict),
    element("p", { class: "verdict-use" }, useOf(verdict), verdict.seed ? element("span", { class: "seed" }, `seed ${verdict.seed}`) : null),
    further,
  );
}

/** One sentence for screen readers. */
export function announcement(verdict) {
  const failed = verdict.checks.find((check) => !["accepted", "not run"].includes(check.status));
  return `${verdict.status}. ${verdict.headline}. ${failed && !verdict.headline.includes(failed.message) ? failed.message : ""}`;
}

function useOf(verdict) {
  const ran = verdict.checks.some((check) => check.status !== "not run");
  return ran ? `the slowest check took ${seconds(verdict.seconds)} of ${seconds(verdict.limit_seconds)}` : "";
}

function finding(check, { goTo, known }) {
  const told = check.got || check.expected || check.difference;
  const message = check.idea ? check.message.split(`: ${check.idea}`)[0] : check.message; // it ends in the ideas, which have lines of their own
  const perhaps = known[check.known_wrong] === check.idea ? "" : known[check.known_wrong];
  const rows = [
    ["call", told || !message.includes(check.call) ? check.call : ""],
    ["got", check.got],
    ["expected", check.expected],
    ["differs", check.difference],
    ["found", told ? "" : message],
    ["idea", check.idea],
    ["perhaps", perhaps],
  ].filter(([, text]) => text);
  return element(
    "section",
    { class: "finding" },
    element("h4", {}, check.title || check.name),
    element("dl", {}, rows.map(([label, text]) => [element("dt", {}, label), element("dd", { class: label }, text)])),
    check.traceback.length ? lines(check.traceback, goTo) : null,
  );
}

function lines(traceback, goTo) {
  const items = traceback.map((line) => {
    const number = Number(/^line (\d+)/.exec(line)?.[1] ?? 0);
    const go = { class: "line", type: "button", onclick: () => goTo(number) };
    return element("li", {}, number ? element("button", go, line) : line);
  });
  return element("div", { class: "own-lines" }, element("p", { class: "label" }, "your lines"), element("ol", {}, items));
}

function printed(output) {
  if (!output.trim()) return null;
  return element("div", { class: "printed" }, element("p", { class: "label" }, "you printed"), element("pre", { tabindex: "0", "aria-label": "you printed" }, output));
}

function checkList(verdict) {
  const items = verdict.checks.map((check) =>
    element(
      "li",
      { class: `check-line ${stateOf(check.status)}` },
      element("span", { class: "sign", "aria-hidden": "true" }, signOf(check.status)),
      element("span", { class: "check-title" }, check.title || check.name),
      element("span", { class: "check-status" }, check.status === "accepted" ? seconds(check.seconds) : check.status),
    ),
  );
  const passed = verdict.checks.filter((check) => check.status === "accepted").length;
  return element("details", { class: "checks" }, element("summary", {}, `${passed} of ${plural(verdict.checks.length, "check")} passed`), element("ol", {}, items));
}
