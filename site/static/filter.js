// The exercise list: filters in the address, so that a filtered list can be linked to.
"use strict";
(() => {
  const form = document.getElementById("filters");
  const cards = [...document.querySelectorAll(".card")];
  const names = ["q", "topic", "level", "minutes"];

  function fromAddress() {
    const asked = new URLSearchParams(location.search);
    for (const name of names) form.elements[name].value = asked.get(name) || "";
  }

  function apply() {
    const [words, topic, level, minutes] = names.map((name) => form.elements[name].value.trim().toLowerCase());
    let count = 0;
    for (const card of cards) {
      const fits = (!topic || card.dataset.topic === topic) && (!level || card.dataset.level === level)
        && (!minutes || Number(card.dataset.minutes) <= Number(minutes)) && words.split(/\s+/).every((word) => card.dataset.words.includes(word));
      card.hidden = !fits;
      count += fits;
    }
    for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector(".card:not([hidden])");
    document.getElementById("found").textContent = count === cards.length ? "" : count === 1 ? "1 exercise" : `${count} exercises`;
  }

  function toAddress() {
    const asked = new URLSearchParams();
    for (const name of names) if (form.elements[name].value) asked.set(name, form.elements[name].value);
    const query = String(asked);
    try { history.replaceState(null, "", query ? `?${query}` : location.pathname); } catch { /* opened from disk */ }
  }

  form.addEventListener("input", () => { apply(); toAddress(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { apply(); toAddress(); }));
  addEventListener("popstate", () => { fromAddress(); apply(); });
  fromAddress();
  apply();
})();
