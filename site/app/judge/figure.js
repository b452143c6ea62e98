// An SVG from someone's code as an element of the page: only shapes and text, so that nothing in it runs, loads or links.

const TAGS = new Set("svg g path line polyline polygon rect circle ellipse text tspan title desc defs linearGradient radialGradient stop marker clipPath".split(" "));
const BANNED = /^(on|href$|xlink:|style$|src)/i;
const MOST = 20_000; // elements

/** The figure, or null when the text is no SVG. */
export function safeFigure(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || parsed.querySelector("parsererror")) return null;
  const elements = [root, ...root.querySelectorAll("*")];
  if (elements.length > MOST) return null;
  for (const one of elements) {
    if (!TAGS.has(one.localName)) {
      one.remove();
      continue;
    }
    for (const { name, value } of [...one.attributes]) {
      if (BANNED.test(name) || /url\s*\((?!\s*['"]?#)/i.test(value)) one.removeAttribute(name);
    }
  }
  return document.importNode(root, true);
}
