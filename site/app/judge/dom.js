// Makes elements and the words in them. Text is always text: what a worker sends is never read as HTML.

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Seconds since 1970 as a reader anywhere understands them: "29 Nov 2026, 20:15", in the reader's time zone. */
export function when(seconds) {
  return DATE.format(seconds * 1000);
}

/** element("p", {class: "note", onclick: f}, "text", otherElement, null). */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}
