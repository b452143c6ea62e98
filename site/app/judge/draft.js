// What the reader is writing, saved as it is typed. Two tabs may hold the same exercise: a save that would overwrite what another tab wrote
// is refused, and the reader is asked; whatever text is not taken goes to the history.

import { answer, notKept, within } from "./database.js";
import { keepText } from "./history.js";
import { note } from "./notice.js";

const DELAY = 250; // milliseconds after the last key
const MOST_UNDO = 300_000; // characters of undo history that are kept

export class Draft {
  #saved = null; // the text that is stored
  #revision = 0; // 0: nothing was stored yet
  #timer = 0;
  #saving = Promise.resolve();

  /** id: what it belongs to; read: gives {text, undo}; adopt: shows another tab's text; ask: called when two tabs have written. */
  constructor(id, { read, adopt, ask }) {
    Object.assign(this, { id, read, adopt, ask });
    this.isAsking = false;
    this.channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("practice.draft") : null;
    this.channel?.addEventListener("message", ({ data }) => data === this.id && this.#followOther());
    addEventListener("pagehide", () => this.#rescue());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.save());
  }

  /** The stored text and undo history, or null when nothing was written yet; `first` is then what the editor shows. */
  async open(first) {
    notKept.then(note);
    const row = await this.#row();
    this.#take(row, first);
    return this.#rescued(row);
  }

  /** Saves a moment after the last change. */
  changed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), DELAY);
  }

  /** Saves now. Saves run one after the other. */
  save() {
    clearTimeout(this.#timer);
    this.#saving = this.#saving.then(() => this.#save(false)).catch((error) => note(`Your last changes are not saved yet (${error?.message || error}): the next change tries again.`));
    return this.#saving;
  }

  /** The reader's answer to `ask`: keep this tab's text, or take the other's. The one not taken goes to the history. */
  async settle(keepsMine) {
    const other = await this.#row();
    this.isAsking = false;
    if (keepsMine) {
      if (other) await keepText(this.id, other.text, "another tab's draft");
      await this.#save(true);
    } else {
      await keepText(this.id, this.read().text, "this tab's draft");
      this.#take(other);
      this.adopt(other.text);
    }
  }

  get isUnsaved() {
    return this.#saved !== null && this.read().text !== this.#saved;
  }

  async #save(overwrites) {
    const { text, undo } = this.read();
    const isFirst = text === this.#saved && this.#revision === 0; // what stood there before anyone wrote
    if (isFirst || (this.isAsking && !overwrites)) return;
    const { other, written } = await within("draft", "readwrite", async (store) => {
      const row = await answer(store.get(this.id));
      if (row && text === this.#saved && !overwrites) return {}; // a row that is gone, with the site's data, is written again
      if (row && row.revision !== this.#revision && row.text !== text && !overwrites) return { other: row };
      const kept = JSON.stringify(undo).length <= MOST_UNDO ? undo : null;
      const written = { id: this.id, text, undo: kept, revision: (row?.revision ?? 0) + 1, at: Date.now() / 1000 };
      await answer(store.put(written));
      return { written };
    });
    if (other) return this.#conflict(other);
    if (!written) return;
    this.#take(written);
    this.channel?.postMessage(this.id);
  }

  async #followOther() {
    const row = await this.#row();
    if (!row || row.revision === this.#revision) return;
    if (this.isUnsaved) return this.#conflict(row);
    this.#take(row);
    this.adopt(row.text);
  }

  #conflict(other) {
    if (this.isAsking) return;
    this.isAsking = true;
    this.ask(other.text);
  }

  #take(row, first = "") {
    this.#revision = row?.revision ?? 0;
    this.#saved = row?.text ?? first;
  }

  #row() {
    return within("draft", "readonly", (store) => answer(store.get(this.id)));
  }

  /** A page that is closing cannot wait for the database; this can be written at once. */
  #rescue() {
    if (!this.isUnsaved) return;
    try {
      localStorage.setItem(`practice.rescue.${this.id}`, JSON.stringify({ text: this.read().text, revision: this.#revision }));
    } catch {
      // Storage is off or full: what was typed in the last quarter of a second is lost.
    }
  }

  /** The row with what was typed last before the page closed; where another tab went on since, that goes to the history. */
  async #rescued(row) {
    const key = `practice.rescue.${this.id}`;
    let rescue = null;
    try {
      rescue = JSON.parse(localStorage.getItem(key));
      localStorage.removeItem(key);
    } catch {
      return row ?? null;
    }
    if (!rescue || rescue.text === row?.text) return row ?? null;
    if (rescue.revision === (row?.revision ?? 0)) return { text: rescue.text, undo: null };
    await keepText(this.id, rescue.text, "a draft from a closed tab");
    return row ?? null;
  }
}
