// CodeMirror put together for Python: the parts come from ../../vendor/editor.js (see site/editor), loaded when the first editor opens.

const KINDS = { function: "function", class: "class", property: "property", keyword: "keyword", variable: "variable", constant: "constant" };

/**
 * An editor inside `parent`.
 *
 * text, undo: what it starts with; undo is what `undo()` gave earlier, or nothing. label: its name for screen readers.
 * submit, run: called on Ctrl+Enter and Shift+Enter. changed: called after each change of the text.
 * complete: async ({source, line, column}) => {start, names}; asked when something is typed.
 */
export async function createEditor(parent, { text, undo, label, submit, run, changed, complete }) {
  const cm = await import("../../vendor/editor.js");
  const keys = [
    { key: "Mod-Enter", run: () => (submit(), true) },
    { key: "Shift-Enter", run: () => (run(), true) },
    { key: "Ctrl-Space", run: cm.startCompletion },
    ...cm.closeBracketsKeymap,
    ...cm.defaultKeymap,
    ...cm.searchKeymap,
    ...cm.historyKeymap,
    ...cm.foldKeymap,
    ...cm.completionKeymap,
    ...cm.lintKeymap,
    cm.indentWithTab, // Esc, then Tab leaves the editor
  ];
  const extensions = [
    cm.lineNumbers(),
    cm.highlightActiveLineGutter(),
    cm.highlightSpecialChars(),
    cm.history(),
    cm.foldGutter(),
    cm.drawSelection(),
    cm.dropCursor(),
    cm.EditorState.allowMultipleSelections.of(true),
    cm.indentOnInput(),
    cm.indentUnit.of("    "),
    cm.bracketMatching(),
    cm.closeBrackets(),
    cm.rectangularSelection(),
    cm.crosshairCursor(),
    cm.highlightActiveLine(),
    cm.highlightSelectionMatches(),
    cm.search({ top: true }),
    cm.python(),
    cm.syntaxHighlighting(colours(cm)),
    cm.EditorView.theme(THEME),
    cm.lintGutter(),
    cm.autocompletion({ override: complete ? [completions(complete)] : [], maxRenderedOptions: 60 }),
    cm.EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
    cm.EditorView.updateListener.of((update) => update.docChanged && changed()),
    cm.keymap.of(keys),
  ];
  const state = startState(cm, extensions, text, undo);
  // In a shadow root, because there CodeMirror adopts its style sheets; in the document it would write inline styles, which the policy forbids.
  const root = parent.attachShadow({ mode: "open" });
  return new Editor(cm, new cm.EditorView({ state, parent: root, root }));
}

/** The state with its undo history, or without when that does not fit the text. */
function startState(cm, extensions, text, undo) {
  if (undo) {
    try {
      return cm.EditorState.fromJSON(undo, { extensions }, { history: cm.historyField });
    } catch {
      // Of another version of the editor.
    }
  }
  return cm.EditorState.create({ doc: text, extensions });
}

class Editor {
  constructor(cm, view) {
    this.cm = cm;
    this.view = view;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Puts another text in place; undo brings the old one back. */
  replace(text) {
    const { view } = this;
    if (text === this.text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, scrollIntoView: true });
  }

  /** What `createEditor` takes as `undo`. */
  undo() {
    return this.view.state.toJSON({ history: this.cm.historyField });
  }

  focus() {
    this.view.focus();
  }

  /** Underlines where Python's parser stopped; null takes the line away. */
  showSyntax(found) {
    const diagnostics = found ? [{ ...this.#range(found), severity: "error", message: found.message }] : [];
    this.view.dispatch(this.cm.setDiagnostics(this.view.state, diagnostics));
  }

  /** Puts the cursor on a line, counted from 1. */
  goTo(number) {
    const line = this.view.state.doc.line(Math.min(Math.max(number, 1), this.view.state.doc.lines));
    this.view.dispatch({ selection: { anchor: line.from }, scrollIntoView: true });
    this.focus();
  }

  #range({ line, column, end_line, end_column }) {
    const { doc } = this.view.state;
    const at = (row, col) => {
      const found = doc.line(Math.min(Math.max(row, 1), doc.lines));
      return Math.min(found.from + Math.max(col - 1, 0), found.to);
    };
    const from = at(line, column);
    return { from, to: Math.max(at(end_line, end_column), from) };
  }
}

function completions(complete) {
  return async (context) => {
    const word = context.matchBefore(/[\w.]+/);
    const isTyped = word && (word.text.includes(".") || word.text.length >= 2);
    const imports = context.matchBefore(/^\s*(from|import)\s[\w. ,]*/);
    if (!context.explicit && !isTyped && !imports) return null;
    const line = context.state.doc.lineAt(context.pos);
    const found = await complete({ source: context.state.doc.toString(), line: line.number, column: context.pos - line.from });
    if (!found?.names.length) return null;
    const options = found.names.map(({ name, kind, detail }) => ({ label: name, type: KINDS[kind], info: detail || undefined }));
    return { from: line.from + found.start, options, validFor: /^\w*$/ };
  };
}

const THEME = {
  "&": { height: "100%", fontSize: "0.84rem", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { background: "var(--panel)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "color-mix(in srgb, var(--accent) 26%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-panels, .cm-tooltip": { background: "var(--paper)", color: "var(--ink)", borderColor: "var(--line-strong)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.8rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-completionInfo": { maxWidth: "24rem", fontSize: "0.8rem" },
  ".cm-textfield": { background: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line-strong)" },
  ".cm-button": { background: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line-strong)" },
  ".cm-foldPlaceholder": { background: "var(--panel)", color: "var(--muted)", borderColor: "var(--line-strong)" },
};

/** The site's code colours. */
function colours({ HighlightStyle, tags }) {
  return HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword], color: "var(--c3)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--c4)" },
    { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
    { tag: [tags.number, tags.bool, tags.null], color: "var(--c2)" },
    { tag: [tags.definition(tags.variableName), tags.function(tags.variableName), tags.className], color: "var(--c1)" },
    { tag: [tags.meta, tags.annotation], color: "var(--c5)" },
  ]);
}
