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
 * label: what it shows, for who cannot see it; lines: [{colour: 1..6, values: [[x, y], ...]}]; marks: [{axis: "x" or "y", value}], dashed
 * lines across the other axis; x, y: axis titles; most: {x, y} where the axes end. What lies above the end leaves the chart at its top.
 */
export function lineChart({ label: words, lines, marks, x, y, most }) {
  const acrossOf = (value) => LEFT + (value / most.x) * (WIDTH - LEFT - RIGHT);
  const upOf = (value) => HEIGHT - BOTTOM - (value / most.y) * (HEIGHT - TOP - BOTTOM);
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words, class: "chart" });
  for (const value of ticks(most.y)) {
    chart.append(svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: upOf(value), y2: upOf(value) }));
    chart.append(label(LEFT - 6, upOf(value) + 4, "end", short(value)));
  }
  for (const value of ticks(most.x)) chart.append(label(acrossOf(value), HEIGHT - BOTTOM + 16, "middle", short(value)));
  chart.append(svg("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM }));
  chart.append(label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle", x), label(LEFT, TOP - 3, "start", y));
  for (const { axis, value } of marks.filter((mark) => mark.value <= most[mark.axis])) {
    const ends = axis === "y" ? { x1: LEFT, x2: WIDTH - RIGHT, y1: upOf(value), y2: upOf(value) } : { x1: acrossOf(value), x2: acrossOf(value), y1: TOP, y2: HEIGHT - BOTTOM };
    chart.append(svg("line", { class: `mark mark-${axis}`, ...ends }));
  }
  chart.append(cutAtTop(lines.map(({ colour, values }) => {
    const points = values.map(([across, up]) => `${acrossOf(across).toFixed(1)},${upOf(up).toFixed(1)}`).join(" ");
    return svg("polyline", { class: `curve line${colour}`, points });
  })));
  return chart;
}

/** An inner picture with the same coordinates that ends where the y axis does. */
function cutAtTop(children) {
  const [width, height] = [WIDTH, HEIGHT - TOP];
  return svg("svg", { class: "cut", x: 0, y: TOP, width, height, viewBox: `0 ${TOP} ${width} ${height}`, overflow: "hidden" }, ...children);
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
