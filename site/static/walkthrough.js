// The presenter's view: one part at a time, a question before each reveal, clocks, scores, a summary.
"use strict";
(() => {
  const main = document.getElementById("main");
  const name = `practice.walkthrough.${main.dataset.slug}`;
  const steps = [...main.querySelectorAll(".step")];
  const by = (id) => document.getElementById(id);
  const fresh = () => ({ step: 0, stage: 0, people: [], guesses: {}, scores: {}, clock: null });
  const state = { ...fresh(), ...window.keep.load(name) };
  const clock = new window.Clock(state.clock);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(name) : null;
  const people = () => (state.people.length ? state.people : ["The room"]);
  const title = (step) => step.dataset.step;

  // ---- the stops of a part: everything up to a question, the question revealed, everything up to the next, ...
  // Stage n shows n revealed questions; the question after them is asked, what follows it is hidden.
  const stops = (step) => [...step.querySelectorAll(".stop")];

  function save() {
    clock.settle();
    state.clock = clock.state;
    window.keep.save(name, state);
  }

  function show() {
    state.step = Math.min(Math.max(state.step, 0), steps.length - 1);
    const step = steps[state.step];
    if (clock.state.part !== title(step)) clock.go(title(step));
    steps.forEach((other, index) => { other.hidden = index !== state.step; });
    let seen = 0;
    let open = true;
    for (const child of step.children) {
      if (child.tagName === "H2") continue;
      child.hidden = !open;
      if (child.classList.contains("stop")) {
        const revealed = seen < state.stage;
        child.querySelector("details.answer").open = revealed;
        child.querySelector("details.answer").hidden = !revealed;
        if (revealed) compare(child.querySelector(".question"));
        else if (open) open = false;
        seen += 1;
      }
    }
    by("place").textContent = `${title(step)}${stops(step).length ? `, question ${Math.min(state.stage + 1, stops(step).length)} of ${stops(step).length}` : ""}`;
    by("back").disabled = state.step === 0 && state.stage === 0;
    if (title(step) === "Summary") by("sheet").textContent = summary();
    label();
    tick();
    save();
    tell();
  }

  // Pixels of the part that lie below the screen. A clicker has one key to go on, so it scrolls first: nobody should
  // reveal the answer to a question that has not been on the screen. The list of parts on the first page may be cut off.
  function below() {
    if (state.step === 0) return 0;
    const shown = [...steps[state.step].children].filter((child) => !child.hidden);
    const hidden = shown[shown.length - 1].getBoundingClientRect().bottom - document.querySelector(".controls").getBoundingClientRect().top;
    return Math.min(Math.max(hidden, 0), document.documentElement.scrollHeight - innerHeight - scrollY);
  }

  function label() {
    const more = below() > 4;
    by("on").textContent = more ? "More" : state.stage < stops(steps[state.step]).length ? "Reveal" : "Next";
    by("on").disabled = state.step === steps.length - 1 && !more;
  }

  function forward() {
    const step = steps[state.step];
    const rest = below();
    if (rest > 4) {
      const screen = by("back").closest(".controls").getBoundingClientRect().top - document.querySelector(".bar").getBoundingClientRect().bottom;
      scrollBy({ top: Math.min(rest + 16, screen * .85), behavior: "instant" });
      label();
      return;
    }
    if (state.stage < stops(step).length) {
      state.stage += 1;
      show();
      // What was revealed may lie below the screen.
      stops(step)[state.stage - 1].scrollIntoView();
      label();
      return;
    }
    if (state.step < steps.length - 1) { state.step += 1; state.stage = 0; scrollTo(0, 0); }
    show();
  }

  function backward() {
    if (state.stage > 0) state.stage -= 1;
    else if (state.step > 0) { state.step -= 1; state.stage = stops(steps[state.step]).length; scrollTo(0, 0); }
    show();
  }

  // ---- estimates: one row per person
  function drawGuesses() {
    for (const box of main.querySelectorAll(".question")) {
      box.querySelector("form.commit")?.remove();
      box.querySelector(".guesses")?.remove();
      if (!box.dataset.number) continue;
      const table = document.createElement("table");
      table.className = "guesses";
      for (const [index, person] of people().entries()) {
        const row = table.insertRow();
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = person;
        const field = Object.assign(document.createElement("input"), { value: state.guesses[box.id]?.[person] || "", inputMode: "decimal", autocomplete: "off", id: `${box.id}-${index}` });
        field.setAttribute("aria-label", `Estimate of ${person}${box.dataset.unit ? ` in ${box.dataset.unit}` : ""}`);
        field.addEventListener("input", () => { (state.guesses[box.id] ||= {})[person] = field.value; save(); if (!box.querySelector("details.answer").hidden) compare(box); });
        field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); const next = table.querySelectorAll("input")[index + 1]; if (next) next.focus(); else { field.blur(); by("on").focus(); } } });
        row.append(head);
        row.insertCell().append(field, ` ${box.dataset.unit}`);
        row.insertCell().className = "result";
      }
      box.querySelector(".ask").after(table);
    }
  }

  function compare(box) {
    for (const row of box.querySelectorAll(".guesses tr")) {
      const text = row.querySelector("input").value.trim();
      const found = window.judgeEstimate(window.readNumber(text), Number(box.dataset.number));
      const badge = document.createElement("span");
      if (text && !found) badge.textContent = "not a number";
      if (found) { badge.className = `badge ${found.near ? "near" : "far"}`; badge.textContent = found.words; }
      row.querySelector(".result").replaceChildren(badge);
    }
  }

  // ---- rubric
  function drawScores() {
    for (const item of main.querySelectorAll(".rubric > li")) {
      const place = item.querySelector(".scores");
      place.replaceChildren();
      for (const [index, person] of people().entries()) {
        const set = document.createElement("fieldset");
        const legend = Object.assign(document.createElement("legend"), { textContent: person });
        set.append(legend);
        for (const score of [0, 1, 2]) {
          const label = document.createElement("label");
          const radio = Object.assign(document.createElement("input"), { type: "radio", name: `score-${item.dataset.point}-${index}`, value: score, checked: state.scores[person]?.[item.dataset.point] === score });
          radio.addEventListener("change", () => { (state.scores[person] ||= {})[item.dataset.point] = score; save(); });
          label.append(radio, String(score));
          set.append(label);
        }
        place.append(set);
      }
    }
  }

  // ---- summary
  const plain = (element) => element.textContent.trim().replace(/\s+/g, " ");
  const cell = (text) => String(text).replace(/\|/g, "\\|");

  function summary() {
    const lines = [`# Walkthrough: ${main.dataset.title}`, "", `${new Date().toISOString().slice(0, 10)}, ${window.Clock.text(clock.total)} in total`, "", "## Time", "", "| part | took | planned |", "|---|---|---|"];
    for (const step of steps) {
      const took = clock.seconds(title(step));
      if (took >= 1) lines.push(`| ${cell(title(step))} | ${window.Clock.text(took)} | ${Number(step.dataset.minutes) ? window.Clock.text(step.dataset.minutes * 60) : ""} |`);
    }
    lines.push("", "## Estimates", "");
    for (const box of main.querySelectorAll(".question")) {
      if (!box.dataset.number) continue;
      const ask = box.querySelector(".ask").cloneNode(true);
      ask.querySelector(".tag")?.remove();
      lines.push(`- ${plain(ask)} Computed: ${plain(box.querySelector(".computed"))}`);
      for (const person of people()) {
        const text = state.guesses[box.id]?.[person];
        const found = text ? window.judgeEstimate(window.readNumber(text), Number(box.dataset.number)) : null;
        if (text) lines.push(`  - ${person}: ${text}${found ? `, ${found.words}` : ""}`);
      }
    }
    const points = [...main.querySelectorAll(".rubric > li")];
    lines.push("", "## Rubric", "", `| point | ${people().map(cell).join(" | ")} |`, `|---|${people().map(() => "---|").join("")}`);
    for (const item of points) lines.push(`| ${cell(plain(item.querySelector(".point")))} | ${people().map((person) => state.scores[person]?.[item.dataset.point] ?? "").join(" | ")} |`);
    lines.push(`| **total of ${points.length * 2}** | ${people().map((person) => Object.values(state.scores[person] || {}).reduce((sum, score) => sum + score, 0)).join(" | ")} |`, "");
    return lines.join("\n");
  }

  // ---- clocks and the notes window
  const planned = steps.reduce((sum, step) => sum + Number(step.dataset.minutes) * 60, 0);

  function times() {
    return { section: [clock.seconds(), Number(steps[state.step].dataset.minutes) * 60], total: [clock.total, planned] };
  }

  function tick() {
    const found = times();
    window.Clock.show(by("clock-section"), ...found.section);
    window.Clock.show(by("clock-total"), ...found.total);
    by("run").textContent = clock.running ? "Pause" : clock.total ? "Go on" : "Start the clock";
    channel?.postMessage({ kind: "time", ...found });
  }

  function tell() { channel?.postMessage({ kind: "step", title: title(steps[state.step]), place: by("place").textContent }); }

  if (channel) channel.onmessage = ({ data }) => {
    if (data.kind === "hello") { tell(); tick(); }
    else if (data.kind === "on") forward();
    else if (data.kind === "back") backward();
  };

  function toggleClock() { if (clock.running) clock.stop(); else clock.start(); save(); tick(); }
  const openNotes = () => window.open(`${main.dataset.slug}-notes.html`, name, "width=900,height=700");

  by("on").addEventListener("click", forward);
  by("back").addEventListener("click", backward);
  by("run").addEventListener("click", toggleClock);
  by("open-notes").addEventListener("click", openNotes);
  by("full").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
  by("print").addEventListener("click", () => print());
  by("copy-summary").addEventListener("click", async () => { by("said").textContent = (await window.copyText(summary())) ? "Copied." : "Select the text above and copy it."; });
  by("over").addEventListener("click", () => {
    if (!confirm("Forget all estimates, scores and times of this walkthrough?")) return;
    window.keep.drop(name);
    Object.assign(state, fresh());
    clock.state = { spent: {}, part: "", since: null };
    by("names").value = "";
    drawGuesses(); drawScores(); show();
  });
  by("people").addEventListener("submit", (event) => {
    event.preventDefault();
    state.people = [...new Set(by("names").value.split(",").map((person) => person.trim()).filter(Boolean))];
    drawGuesses(); drawScores(); show();
  });
  for (const link of main.querySelectorAll(".phase-list a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      state.step = steps.findIndex((step) => `#${step.id}` === link.hash); state.stage = 0; scrollTo(0, 0); show();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest("input, textarea, select");
    // A clicker sends Page Down and Page Up whatever has the focus.
    if (event.key === "PageDown") { event.preventDefault(); forward(); return; }
    if (event.key === "PageUp") { event.preventDefault(); backward(); return; }
    if (typing) { if (event.key === "Escape") typing.blur(); return; }
    if (event.key === "ArrowRight") forward();
    else if (event.key === "ArrowLeft") backward();
    else if (event.key === "t") toggleClock();
    else if (event.key === "n") openNotes();
    else return;
    event.preventDefault();
  });
  addEventListener("pagehide", save);
  addEventListener("scroll", label, { passive: true });
  addEventListener("resize", label);
  main.addEventListener("toggle", label, true);

  by("names").value = state.people.join(", ");
  drawGuesses();
  drawScores();
  show();
  setInterval(tick, 500);
})();
