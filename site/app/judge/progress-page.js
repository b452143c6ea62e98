// The progress page: what was tried and solved here, and the way out and in as a file.

import { notKept } from "./database.js";
import { element, when } from "./dom.js";
import { note } from "./notice.js";
import { events, exportProgress, importProgress, standings } from "./progress.js";

const place = document.getElementById("progress");
const exercises = JSON.parse(place.dataset.exercises);
const FIRST = 180; // where `judge.py next` begins, too
const said = element("p", { role: "status" });
const list = element("div", {});

async function show() {
  const found = standings(await events());
  const touched = exercises.filter(({ number }) => found.has(number));
  if (!touched.length) return list.replaceChildren(...beginning());
  const count = (...states) => touched.filter(({ number }) => states.includes(found.get(number).state)).length;
  const rows = touched.map(({ number, id, title, topic_title: topic }) => {
    const one = found.get(number);
    const hints = one.hints.size ? `, ${one.hints.size} hint${one.hints.size > 1 ? "s" : ""}` : "";
    const state = one.state === "tried" ? `${one.passed} of ${one.total} checks` : one.state;
    return element(
      "tr",
      {},
      element("td", {}, element("a", { href: `exercises/${id}.html` }, `${number} ${title}`)),
      element("td", {}, topic),
      element("td", { class: { solved: "good", tried: "warm" }[one.state] ?? "muted" }, state),
      element("td", {}, `${one.attempts} attempt${one.attempts === 1 ? "" : "s"}${hints}`),
      element("td", {}, when(one.lastAt)),
    );
  });
  const head = ["Exercise", "Topic", "Stands at", "Effort", "Last"].map((words) => element("th", { scope: "col" }, words));
  list.replaceChildren(
    element("p", {}, `${count("solved")} of ${exercises.length} exercises solved, ${count("tried", "started")} more tried.`),
    element("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Exercises" }, element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows))),
  );
}

/** What stands here before the first exercise. */
function beginning() {
  const first = exercises.find(({ number }) => number === FIRST) ?? exercises[0];
  return [
    element("p", {}, "Nothing tried yet. Every exercise you submit will stand here with how many of its checks passed, how many attempts and hints it took, and when you last worked on it."),
    first ? element("p", {}, "A good first one is ", element("a", { href: `exercises/${first.id}.html` }, `${first.number} ${first.title}`), `, about ${first.minutes} minutes.`) : null,
    element("p", {}, "Practised in the shell or in another browser? ", element("button", { type: "button", class: "quiet small", onclick: () => input.click() }, "Import what you exported there")),
  ].filter(Boolean);
}

async function save() {
  const address = URL.createObjectURL(new Blob([await exportProgress()], { type: "application/json" }));
  element("a", { href: address, download: "practice-progress.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function load(file) {
  said.textContent = "Reading the file";
  try {
    const added = await importProgress(await file.text());
    said.textContent = `${added} event${added === 1 ? "" : "s"} added.`;
    await show();
  } catch (error) {
    said.textContent = error.message;
  } finally {
    input.value = ""; // so that the same file can be chosen again
  }
}

const input = element("input", { type: "file", accept: "application/json,.json", id: "progress-file", class: "unseen", tabindex: "-1", onchange: () => input.files[0] && load(input.files[0]) });
place.replaceChildren(
  element("div", { class: "row-of-buttons" }, element("button", { type: "button", onclick: save }, "Export"), element("button", { type: "button", class: "quiet", onclick: () => input.click() }, "Import"), element("label", { for: "progress-file", class: "unseen" }, "Progress file"), input),
  said,
  list,
);
notKept.then(note);
await show();
place.dataset.ready = "";
