// Time kept per part: survives a reload, because the running part's start is stored as a moment.
"use strict";
window.Clock = class {
  // state: {spent: {part: ms}, part, since}; since is null while the clock stands.
  constructor(state) { this.state = state || { spent: {}, part: "", since: null }; }

  get running() { return this.state.since !== null; }

  start() { if (!this.running) this.state.since = Date.now(); }

  stop() { this.settle(); this.state.since = null; }

  go(part) { this.settle(); this.state.part = part; }

  // Books the time since the last booking on the part it was spent in.
  settle() {
    const { spent, part, since } = this.state;
    if (since === null) return;
    const now = Date.now();
    spent[part] = (spent[part] || 0) + now - since;
    this.state.since = now;
  }

  seconds(part = this.state.part) {
    const open = this.running && part === this.state.part ? Date.now() - this.state.since : 0;
    return ((this.state.spent[part] || 0) + open) / 1000;
  }

  get total() { return Object.keys({ ...this.state.spent, [this.state.part]: 0 }).reduce((sum, part) => sum + this.seconds(part), 0); }

  static text(seconds) {
    const whole = Math.floor(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  }

  static show(element, seconds, allowed) {
    element.querySelector("strong").textContent = Clock.text(seconds);
    element.querySelector(".of").textContent = allowed ? `of ${Clock.text(allowed)}` : "";
    element.classList.toggle("over", Boolean(allowed) && seconds > allowed);
  }
};

// What a page keeps in this browser; storage that is switched off costs a reload, nothing else.
window.keep = {
  load(name) { try { return JSON.parse(localStorage.getItem(name)); } catch { return null; } },
  save(name, value) { try { localStorage.setItem(name, JSON.stringify(value)); } catch { /* storage is off or full */ } },
  drop(name) { try { localStorage.removeItem(name); } catch { /* storage is off */ } },
};
