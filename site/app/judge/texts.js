// The text in an editor and what came before it: the draft, earlier texts, the starter again, links that carry a text. The same on an
// exercise's page and in the playground. Nothing the reader wrote gives way to another text without being asked for or kept.

import { element, when } from "./dom.js";
import { Draft } from "./draft.js";
import { createEditor } from "./editor.js";
import { keepText, keptTexts } from "./history.js";
import { forgetShared, linkTo, sharedText } from "./share.js";

export class Texts {
  /** id: what they belong to; starter: the first text; noun: what a text is called here; panel: the element that lists earlier ones. */
  constructor(id, { starter, noun, panel }) {
    Object.assign(this, { id, starter, noun, panel });
    const button = (words, act) => element("button", { type: "button", class: "quiet small", disabled: true, onclick: () => this.#attempt(act) }, words);
    this.notice = element("div", { class: "judge-notice", role: "status", hidden: true });
    this.buttons = element(
      "div",
      { class: "judge-more" },
      button("Earlier texts", () => this.list()),
      button("Share", () => this.share()),
      button("Start over", () => this.startOver()),
    );
  }

  /** Puts an editor with the draft into `place`; options: what else createEditor takes. */
  async open(place, options) {
    this.draft = new Draft(this.id, {
      read: () => ({ text: this.editor.text, undo: this.editor.undo() }),
      adopt: (text) => this.editor.replace(text),
      ask: () => this.#askWhichTab(),
    });
    const kept = await this.draft.open(this.starter).catch(() => null);
    const changed = () => {
      this.draft.changed();
      options.changed?.();
    };
    this.editor = await createEditor(place, { ...options, text: kept?.text ?? this.starter, undo: kept?.undo, changed });
    for (const button of this.buttons.children) button.disabled = false;
    addEventListener("hashchange", () => this.#attempt(() => this.offerShared())); // a link that is opened in the same tab
    await this.offerShared();
  }

  /** Says something above the editor. choices: [label, what it does] each. */
  tell(words, ...choices) {
    const button = ([label, act]) => element("button", { type: "button", class: "quiet small", onclick: () => (this.hush(), this.#attempt(act)) }, label);
    this.notice.replaceChildren(element("p", {}, words), element("div", { class: "judge-choices" }, choices.map(button)));
    this.notice.hidden = false;
  }

  hush() {
    this.notice.hidden = true;
  }

  /** Asks before a text from a link takes the place of the reader's own. */
  async offerShared() {
    const text = await sharedText();
    if (text === null) return;
    if (text === this.editor.text) return forgetShared();
    const open = async () => {
      if (this.editor.text !== this.starter) await keepText(this.id, this.editor.text, "before a shared one");
      this.editor.replace(text);
      forgetShared();
    };
    if (this.editor.text === this.starter) return open();
    this.tell(`The link you opened carries a ${this.noun}. Yours is kept under Earlier texts if you open it.`, ["Open it", open], ["Keep mine", forgetShared]);
  }

  async share() {
    const link = await linkTo(this.editor.text);
    const field = element("input", { readonly: true, value: link, "aria-label": `Link to this ${this.noun}`, onfocus: (event) => event.target.select() });
    const copy = async () => {
      field.select();
      await navigator.clipboard?.writeText(link); // absent on plain HTTP; the field is selected, so Ctrl+C works
    };
    this.tell("Whoever opens this link sees your text; no server keeps it.", ["Copy", copy], ["Close", () => {}]);
    this.notice.append(field);
    field.select();
  }

  async startOver() {
    await keepText(this.id, this.editor.text, "before starting over");
    this.editor.replace(this.starter);
    this.tell("The starter is back; your text is kept under Earlier texts.", ["Close", () => {}]);
  }

  async list() {
    const rows = await keptTexts(this.id);
    const open = async (row) => {
      await keepText(this.id, this.editor.text, "before an earlier one");
      this.editor.replace(row.text);
      this.panel.replaceChildren();
    };
    const items = rows.map((row) =>
      element(
        "li",
        {},
        element("button", { type: "button", class: "quiet small", onclick: () => this.#attempt(() => open(row)) }, "Open"),
        element("span", {}, when(row.at)),
        element("span", { class: row.what === "accepted" ? "good" : "muted" }, row.headline || row.what),
      ),
    );
    const none = element("p", {}, "Nothing yet: what you submit, and what gives way to another text, is kept here.");
    this.panel.replaceChildren(element("h3", {}, "Earlier texts"), items.length ? element("ol", { class: "earlier" }, items) : none);
    this.panel.scrollIntoView({ block: "nearest" });
  }

  #askWhichTab() {
    this.tell(
      "This text was changed in another tab, too. Which one goes on? The other is kept under Earlier texts.",
      ["This tab's", () => this.draft.settle(true)],
      ["The other tab's", () => this.draft.settle(false)],
    );
  }

  /** Does what a button stands for; why it cannot be done is said. */
  async #attempt(act) {
    try {
      await act();
    } catch (error) {
      this.tell(`That did not work: ${error.message}`, ["Close", () => {}]);
    }
  }
}
