// The list of designs to be interviewed on, and the history kept in this browser.
"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const links = [...document.querySelectorAll("#designs a")];
  by("draw")?.addEventListener("click", () => {
    const done = new Set((window.keep.load("practice.interviews") || []).map((entry) => `${entry.slug}.html`));
    const open = links.filter((link) => !done.has(link.getAttribute("href")));
    const from = open.length ? open : links;
    location.href = from[Math.floor(Math.random() * from.length)].href;
  });

  function button(words, action) {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "quiet", textContent: words });
    made.addEventListener("click", action);
    return made;
  }

  function save(text, name, type) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function show() {
    const history = window.keep.load("practice.interviews") || [];
    by("no-history").hidden = history.length > 0;
    by("history").hidden = by("history-actions").hidden = history.length === 0;
    const body = document.querySelector("#history tbody");
    body.replaceChildren();
    for (const entry of [...history].reverse()) {
      const row = body.insertRow();
      row.insertCell().textContent = entry.date.slice(0, 10);
      const link = Object.assign(document.createElement("a"), { href: `${entry.slug}.html`, textContent: entry.title });
      row.insertCell().append(link);
      row.insertCell().textContent = `${entry.length} min`;
      row.insertCell().textContent = `${entry.score} of ${entry.most}`;
      const actions = row.insertCell();
      const about = `the interview of ${entry.date.slice(0, 10)} on ${entry.title}`;
      const card = button("Scorecard", () => save(entry.card, `interview-${entry.slug}-${entry.date.slice(0, 10)}.md`, "text/markdown"));
      card.setAttribute("aria-label", `Scorecard of ${about}`);
      const remove = button("Delete", () => { if (confirm(`Delete ${about}?`)) { window.keep.save("practice.interviews", history.filter((other) => other.id !== entry.id)); show(); } });
      remove.setAttribute("aria-label", `Delete ${about}`);
      actions.append(card, " ", remove);
    }
  }

  by("export").addEventListener("click", () => save((window.keep.load("practice.interviews") || []).map((entry) => entry.card).join("\n---\n\n"), "interviews.md", "text/markdown"));
  show();
})();
