// Lists of exercises show which ones were solved or tried in this browser.

import { element } from "./dom.js";
import { events, standings } from "./progress.js";

async function mark() {
  const found = standings(await events());
  for (const card of document.querySelectorAll(".card")) {
    card.querySelector(".card-mark")?.remove();
    const state = found.get(Number(card.querySelector(".number").textContent))?.state;
    if (state) card.querySelector(".facts").prepend(element("span", { class: `card-mark ${state}` }, state));
  }
}

addEventListener("pageshow", ({ persisted }) => persisted && mark()); // back from an exercise that was just solved
await mark();
document.documentElement.dataset.marked = "";
