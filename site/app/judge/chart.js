// A small line chart: a few curves over one axis, a mark on each axis, colours from the site.

const NS = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [460, 250, 52, 12, 14, 40];

const svg = (tag, attributes, ...children) => {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

/**
 * curves: [{name, colour: 1..6, values: [[x, y], ...]}]; marks: {x, y} lines to draw, each may be missing; x, y: axis titles;
 * most: {x, y} where the axes end. Points that lie above the end are cut off there.
 */
export function lineChart({ title, curves, marks = {}, x, y, most }) {
  const acrossOf = (value) => LEFT + (value / most.x) * (WIDTH - LEFT - RIGHT);
  const upOf = (value) => HEIGHT - BOTTOM - (Math.min(value, most.y) / most.y) * (HEIGHT - TOP - BOTTOM);
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title, class: "chart" });
  for (const value of ticks(most.y)) {
    chart.append(svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: upOf(value), y2: upOf(value) }));
    chart.append(label(LEFT - 6, upOf(value) + 4, "end", short(value)));
  }
  for (const value of ticks(most.x)) chart.append(label(acrossOf(value), HEIGHT - BOTTOM + 16, "middle", short(value)));
  chart.append(svg("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM }));
  chart.append(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle", x), label(LEFT, TOP - 3, "start", y));
  if (marks.y !== undefined && marks.y <= most.y) chart.append(svg("line", { class: "mark", x1: LEFT, x2: WIDTH - RIGHT, y1: upOf(marks.y), y2: upOf(marks.y) }));
  if (marks.x) chart.append(svg("line", { class: "mark", x1: acrossOf(marks.x), x2: acrossOf(marks.x), y1: TOP, y2: HEIGHT - BOTTOM }));
  for (const { colour, values } of curves) {
    const points = values.map(([across, up]) => `${acrossOf(across).toFixed(1)},${upOf(up).toFixed(1)}`).join(" ");
    chart.append(svg("polyline", { class: `curve line${colour}`, points }));
  }
  return chart;
}

function label(x, y, anchor, text) {
  return svg("text", { x, y, class: "label", "text-anchor": anchor }, text);
}

/** About four round numbers from 0 to the end. */
function ticks(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough * 0.8);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => index * step);
}

const short = (value) => (value === 0 ? "0" : value >= 1000 ? `${+(value / 1000).toPrecision(3)}k` : `${+value.toPrecision(3)}`);
