// Lines above the editor or the list that concern the whole page; each is said once.

import { element } from "./dom.js";

export function note(words) {
  const place = document.querySelector("#judge, #play, #progress");
  const isThere = [...document.querySelectorAll(".page-note")].some((line) => line.textContent === words);
  if (!isThere) place?.before(element("p", { class: "page-note", role: "status" }, words));
}
