// The presenter's notes in a second window, kept in step with the walkthrough.
"use strict";
(() => {
  const main = document.getElementById("main");
  const steps = [...main.querySelectorAll(".step")];
  const state = document.getElementById("state");
  if (!("BroadcastChannel" in window)) { state.textContent = "This browser cannot keep two windows in step; all notes are below."; return; }
  const channel = new BroadcastChannel(`practice.walkthrough.${main.dataset.slug}`);

  function show(title, place) {
    let found = false;
    for (const step of steps) { step.hidden = step.dataset.step !== title; found ||= !step.hidden; }
    state.textContent = found ? "" : `The walkthrough is at: ${title}. There are no notes for it.`;
    document.getElementById("place").textContent = place;
  }

  channel.onmessage = ({ data }) => {
    if (data.kind === "step") show(data.title, data.place);
    else if (data.kind === "time") {
      window.Clock.show(document.getElementById("clock-section"), ...data.section);
      window.Clock.show(document.getElementById("clock-total"), ...data.total);
    }
  };
  const send = (kind) => channel.postMessage({ kind });
  document.getElementById("on").addEventListener("click", () => send("on"));
  document.getElementById("back").addEventListener("click", () => send("back"));
  document.addEventListener("keydown", (event) => {
    if (["ArrowRight", "PageDown"].includes(event.key)) { event.preventDefault(); send("on"); }
    if (["ArrowLeft", "PageUp"].includes(event.key)) { event.preventDefault(); send("back"); }
  });
  send("hello");
})();
