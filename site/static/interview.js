// A mock interview: phases against the clock, follow-ups one by one, self-scoring, a scorecard that is kept.
"use strict";
(() => {
  const main = document.getElementById("main");
  const name = `practice.interview.${main.dataset.slug}`;
  const by = (id) => document.getElementById(id);
  const phases = [...document.querySelectorAll(".phase-list li[data-phase]")].map((item) => ({ title: item.dataset.phase, minutes: Number(item.dataset.minutes), item }));
  const follows = [...document.querySelectorAll(".follow")];
  const points = [...document.querySelectorAll(".rubric > li")];
  const whole = phases.reduce((sum, phase) => sum + phase.minutes, 0);
  const fresh = () => ({ view: "start", length: 45, phase: 0, asked: 1, notes: {}, replies: {}, scores: {}, clock: null, begun: null, id: null });
  const state = { ...fresh(), ...window.keep.load(name) };
  const clock = new window.Clock(state.clock);
  const scaled = (minutes) => minutes * 60 * state.length / whole;
  const parts = { follow: "Follow-ups", score: "Scoring" };

  function save() { clock.settle(); state.clock = clock.state; window.keep.save(name, state); }

  function view(next) {
    state.view = next;
    if (next === "phase") clock.go(phases[state.phase].title);
    else if (parts[next]) clock.go(parts[next]);
    if (next === "start" || next === "card") clock.stop();
    show();
    scrollTo(0, 0);
  }

  function show() {
    for (const section of document.querySelectorAll(".view")) section.hidden = section.id !== `view-${state.view}`;
    for (const phase of phases) phase.item.querySelector(".phase-time").textContent = window.Clock.text(scaled(phase.minutes));
    if (state.view === "phase") {
      const phase = phases[state.phase];
      by("phase-title").textContent = phase.title;
      by("notes").value = state.notes[phase.title] || "";
      by("phase-back").disabled = state.phase === 0;
      by("phase-on").textContent = state.phase === phases.length - 1 ? "To the follow-ups" : "Next phase";
    }
    follows.forEach((box, index) => { box.hidden = index >= state.asked; box.querySelector("textarea").value = state.replies[index] || ""; });
    by("follow-on").disabled = state.asked >= follows.length;
    for (const item of points) {
      for (const radio of item.querySelectorAll("input")) radio.checked = state.scores[item.dataset.point] === Number(radio.value);
    }
    if (state.view === "card") {
      const open = points.filter((item) => state.scores[item.dataset.point] === undefined).length;
      by("card-score").textContent = `${total()} of ${points.length * 2}`;
      by("card-left").textContent = open ? `with ${open} ${open === 1 ? "point" : "points"} not scored` : "";
      by("sheet").textContent = card();
    }
    tick();
    save();
  }

  function tick() {
    const phase = state.view === "phase" ? phases[state.phase] : null;
    by("phase-name").textContent = phase ? phase.title : parts[state.view] || "this phase";
    window.Clock.show(by("clock-section"), phase || parts[state.view] ? clock.seconds() : 0, phase ? scaled(phase.minutes) : 0);
    window.Clock.show(by("clock-total"), clock.total, state.length * 60);
    by("run").textContent = clock.running ? "Pause" : "Go on";
    by("run").hidden = state.view === "start" || state.view === "card";
  }

  const plain = (element) => element.textContent.trim().replace(/\s+/g, " ");
  const total = () => Object.values(state.scores).reduce((sum, score) => sum + score, 0);

  function card() {
    const lines = [`# Mock interview: ${main.dataset.title}`, "", `${(state.begun || new Date().toISOString()).slice(0, 10)}, ${state.length} minutes, score ${total()} of ${points.length * 2}`, "", "## Time", "", "| phase | took | planned |", "|---|---|---|"];
    for (const phase of phases) lines.push(`| ${phase.title} | ${window.Clock.text(clock.seconds(phase.title))} | ${window.Clock.text(scaled(phase.minutes))} |`);
    lines.push(`| Follow-ups | ${window.Clock.text(clock.seconds("Follow-ups"))} | |`, "", "## Rubric", "");
    for (const item of points) lines.push(`- ${state.scores[item.dataset.point] ?? "not scored"}: ${plain(item.querySelector(".point"))}`);
    const written = phases.filter((phase) => (state.notes[phase.title] || "").trim());
    if (written.length) lines.push("", "## Notes");
    for (const phase of written) lines.push("", `### ${phase.title}`, "", state.notes[phase.title].trim());
    const replied = follows.map((box, index) => [plain(box.querySelector("h3")), (state.replies[index] || "").trim()]).filter(([, reply]) => reply);
    if (replied.length) lines.push("", "## Follow-ups");
    for (const [ask, reply] of replied) lines.push("", `### ${ask}`, "", reply);
    return `${lines.join("\n")}\n`;
  }

  function remember() {
    const history = window.keep.load("practice.interviews") || [];
    const entry = { id: state.id, date: state.begun, slug: main.dataset.slug, title: main.dataset.title, length: state.length, score: total(), most: points.length * 2, card: card() };
    window.keep.save("practice.interviews", [...history.filter((other) => other.id !== entry.id), entry]);
  }

  by("begin").addEventListener("submit", (event) => {
    event.preventDefault();
    Object.assign(state, fresh(), { length: Number(new FormData(by("begin")).get("duration")), begun: new Date().toISOString(), id: `${Date.now()}` });
    clock.state = { spent: {}, part: phases[0].title, since: null };
    clock.start();
    view("phase");
    by("notes").focus();
  });
  for (const radio of by("begin").elements.duration) radio.addEventListener("change", () => { state.length = Number(radio.value); show(); });
  by("notes").addEventListener("input", () => { state.notes[phases[state.phase].title] = by("notes").value; save(); });
  by("phase-on").addEventListener("click", () => { if (state.phase < phases.length - 1) { state.phase += 1; view("phase"); } else view("follow"); });
  by("phase-back").addEventListener("click", () => { state.phase -= 1; view("phase"); });
  by("follow-on").addEventListener("click", () => { state.asked += 1; show(); follows[state.asked - 1].querySelector("textarea").focus(); });
  by("follow-end").addEventListener("click", () => view("score"));
  follows.forEach((box, index) => box.querySelector("textarea").addEventListener("input", (event) => { state.replies[index] = event.target.value; save(); }));
  for (const item of points) item.addEventListener("change", (event) => { if (event.target.type === "radio") { state.scores[item.dataset.point] = Number(event.target.value); save(); } });
  by("finish").addEventListener("click", () => { view("card"); remember(); });
  by("run").addEventListener("click", () => { if (clock.running) clock.stop(); else clock.start(); save(); tick(); });
  by("copy-card").addEventListener("click", async () => { by("said").textContent = (await window.copyText(card())) ? "Copied." : "Select the text above and copy it."; });
  by("download-card").addEventListener("click", () => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([card()], { type: "text/markdown" })), download: `interview-${main.dataset.slug}-${(state.begun || "").slice(0, 10)}.md` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  by("print").addEventListener("click", () => print());
  by("again").addEventListener("click", () => { Object.assign(state, fresh()); clock.state = { spent: {}, part: "", since: null }; view("start"); });
  addEventListener("pagehide", save);

  show();
  setInterval(tick, 500);
})();
