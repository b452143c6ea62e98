// The search page: engine and index are loaded when something is first looked for.
"use strict";
(() => {
  const form = document.getElementById("search");
  const field = document.getElementById("words");
  const list = document.getElementById("results");
  const count = document.getElementById("results-count");
  let engine = null;

  const load = (address) => new Promise((done, failed) => {
    const script = Object.assign(document.createElement("script"), { src: address, onload: done, onerror: () => failed(new Error(address)) });
    document.head.append(script);
  });

  async function ready() {
    engine ||= (async () => {
      await Promise.all([load(form.dataset.engine), load(form.dataset.index)]);
      return MiniSearch.loadJSON(window.searchIndex, { fields: ["title", "text"], storeFields: ["url", "title", "page", "kind", "start"] });
    })();
    return engine;
  }

  function marked(text, terms) {
    const piece = document.createDocumentFragment();
    const pattern = terms.length ? new RegExp(`(${terms.map((term) => term.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "giu") : null;
    for (const [index, part] of (pattern ? text.split(pattern) : [text]).entries()) {
      piece.append(index % 2 ? Object.assign(document.createElement("mark"), { textContent: part }) : part);
    }
    return piece;
  }

  function row(found) {
    const item = document.createElement("li");
    const where = Object.assign(document.createElement("span"), { className: "where", textContent: found.kind === "chapter" && found.page !== found.title ? `chapter: ${found.page}` : found.kind === "term" ? "glossary" : found.page });
    const link = Object.assign(document.createElement("a"), { href: found.url });
    link.append(marked(found.title, found.terms));
    const text = document.createElement("p");
    text.append(marked(found.start, found.terms));
    const head = document.createElement("div");
    head.append(link);
    item.append(where, head, text);
    return item;
  }

  async function look() {
    const words = field.value.trim();
    try { history.replaceState(null, "", words ? `?q=${encodeURIComponent(words)}` : location.pathname); } catch { /* opened from disk */ }
    if (!words) { list.replaceChildren(); count.textContent = ""; return; }
    let found;
    try {
      found = (await ready()).search(words, { prefix: true, fuzzy: (term) => (term.length > 4 ? 0.2 : false), boost: { title: 3 }, combineWith: "AND" });
    } catch (error) {
      count.textContent = `The index could not be loaded (${error.message}).`;
      return;
    }
    if (field.value.trim() !== words) return;
    count.textContent = found.length === 0 ? `Nothing for “${words}”.` : found.length === 1 ? "1 place" : `${found.length} places`;
    list.replaceChildren(...found.slice(0, 40).map(row));
  }

  field.value = new URLSearchParams(location.search).get("q") || "";
  form.addEventListener("submit", (event) => { event.preventDefault(); look(); });
  field.addEventListener("input", look);
  look();
  field.focus();
})();
