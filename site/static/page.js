// What every page has: colours, copy buttons, keyboard reach of what scrolls, the table of contents, questions and hints.
"use strict";
(() => {
  // Modules and service workers do not exist for pages opened from disk.
  if (location.protocol !== "file:") {
    const modules = ["app/offline.js", ...(document.querySelector(".card") ? ["app/judge/marks.js"] : [])];
    for (const name of modules) document.head.append(Object.assign(document.createElement("script"), { type: "module", src: new URL(name, document.currentScript.src).href }));
  } else {
    const place = document.querySelector("#lab, #play");
    if (place) place.textContent = "A page opened from disk cannot start Python. In a checkout, python judge.py serve shows the whole site.";
  }

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // ---- colours: as the system, light, dark, and round again
  const themes = ["", "light", "dark"];
  const words = { "": "as the system", light: "light", dark: "dark" };
  const toggle = document.getElementById("theme");
  const current = () => document.documentElement.dataset.theme || "";
  const label = () => { toggle.setAttribute("aria-label", `Colours: ${words[current()]}`); toggle.title = `Colours: ${words[current()]}`; };
  if (toggle) {
    label();
    toggle.addEventListener("click", () => {
      const next = themes[(themes.indexOf(current()) + 1) % themes.length];
      if (next) document.documentElement.dataset.theme = next; else delete document.documentElement.dataset.theme;
      try { next ? localStorage.setItem("practice.theme", next) : localStorage.removeItem("practice.theme"); } catch { /* storage is off */ }
      label();
    });
  }

  // ---- on a phone the menu scrolls: show where we are
  const here = document.querySelector(".menu [aria-current]");
  if (here) { const menu = here.closest(".menu"); menu.scrollLeft = here.offsetLeft - menu.offsetLeft - (menu.clientWidth - here.offsetWidth) / 2; }

  // ---- "/" goes to the search field
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const field = document.getElementById("words") || document.getElementById("find");
    if (field) { event.preventDefault(); field.focus(); }
  });

  // ---- copy buttons
  async function copy(text) {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* plain http or a file: the old way */ }
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area); area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
  window.copyText = copy;
  for (const pre of all("pre.code")) {
    const place = document.createElement("div");
    place.className = "copy-place";
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
    pre.before(place); place.append(pre, button);
    button.addEventListener("click", async () => {
      button.textContent = (await copy(pre.innerText)) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => { button.textContent = "Copy"; }, 1600);
    });
  }

  // ---- what scrolls sideways can be reached by keyboard
  function reach() {
    for (const box of all("pre, .table, .picture, .math")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; else box.removeAttribute("tabindex");
    }
  }
  // Boxes change with the window, with what is unfolded, and when the editor comes and halves the page.
  const resized = new ResizeObserver(reach);
  for (const box of all("pre, .table, .picture, .math")) resized.observe(box);

  // ---- table of contents: closed on a phone, and where the reader is
  const contents = document.querySelector(".toc-box");
  if (contents) {
    // On a phone the style sheet keeps the list closed from the first paint on, so that nothing jumps.
    const opener = contents.querySelector(".toc-toggle");
    opener.addEventListener("click", () => opener.setAttribute("aria-expanded", String(contents.classList.toggle("open"))));
    const links = new Map(all(".toc a").map((link) => [link.hash.slice(1), link]));
    const heads = all("main h2[id], main h3[id]").filter((head) => links.has(head.id));
    const mark = () => {
      const at = heads.filter((head) => head.getBoundingClientRect().top < innerHeight * .3).pop() || heads[0];
      for (const link of links.values()) { link.classList.remove("here"); link.removeAttribute("aria-current"); }
      if (at) { links.get(at.id).classList.add("here"); links.get(at.id).setAttribute("aria-current", "location"); }
    };
    let waiting = false;
    addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; mark(); }); } }, { passive: true });
    mark();
  }

  // ---- estimates
  // A number as people type it: 16.8, 1,500, 16.8k, 1e6, 3 million.
  window.readNumber = (text) => {
    const match = /^\s*[~≈]?\s*([-+]?[\d,_ ]*\.?\d+(?:e[-+]?\d+)?)\s*(k|m|b|g|t|thousand|million|billion)?\b/i.exec(text.replace(/\$/g, ""));
    if (!match) return NaN;
    const scale = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, b: 1e9, g: 1e9, billion: 1e9, t: 1e12 }[(match[2] || "").toLowerCase()] || 1;
    return parseFloat(match[1].replace(/[,_ ]/g, "")) * scale;
  };
  // {ratio, near, words}: near is within a factor of two.
  window.judgeEstimate = (guess, truth) => {
    if (!isFinite(guess)) return null;
    if (truth === 0 || guess / truth <= 0) return { ratio: NaN, near: guess === truth, words: guess === truth ? "exactly" : "not comparable as a ratio" };
    const ratio = guess / truth;
    const factor = Math.max(ratio, 1 / ratio);
    const size = factor < 10 ? factor.toFixed(2) : Math.round(factor).toLocaleString("en");
    const close = factor < 1.005;
    return { ratio, near: factor <= 2, words: close ? "on the spot" : `${size} times too ${ratio > 1 ? "high" : "low"}, ${factor <= 2 ? "within" : "not within"} a factor of two` };
  };
  for (const box of all(".question[data-number]")) {
    const form = box.querySelector("form.commit");
    if (!form || box.closest(".stage")) continue;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const found = window.judgeEstimate(window.readNumber(form.querySelector("input").value), Number(box.dataset.number));
      const verdict = box.querySelector(".verdict");
      verdict.textContent = found ? `Your estimate is ${found.words}.` : "Type a number, such as 16.8 or 1.5k.";
      verdict.className = `verdict ${found ? (found.near ? "near" : "far") : ""}`;
      if (found) box.querySelector("details").open = true;
    });
  }

  // ---- hints open in order
  const hints = all(".hint");
  const unlock = () => hints.forEach((hint, index) => {
    const locked = index > 0 && !hints[index - 1].dataset.seen;
    hint.toggleAttribute("data-locked", locked);
    hint.querySelector("summary").setAttribute("aria-disabled", String(locked));
  });
  hints.forEach((hint) => {
    hint.querySelector("summary").addEventListener("click", (event) => { if (hint.hasAttribute("data-locked")) event.preventDefault(); });
    hint.addEventListener("toggle", () => { if (hint.open) { hint.dataset.seen = "yes"; unlock(); } });
  });
  if (hints.length) unlock();
})();
