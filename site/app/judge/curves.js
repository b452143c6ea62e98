// The lab's three charts over the rate and the numbers behind them.

import { count, round, seconds } from "./amounts.js";
import { lineChart } from "./chart.js";
import { element } from "./dom.js";

/** The charts and the table of the points so far, as elements. plan: the controls; found: the worker's knee and highest rate. */
export function curves(plan, found, points, isOpen) {
  return [
    latency("TTFT", "s", 1, plan.ttft, found, points),
    latency("TPOT", "ms", 1000, plan.tpot, found, points),
    goodput(found, points),
    table(points, isOpen),
  ];
}

/** P50 and P99 of one latency. scale: from seconds to the axis' unit; bound: the SLO, in seconds. */
function latency(name, unit, scale, bound, found, points) {
  const key = name.toLowerCase();
  const highest = (part) => Math.max(...points.map((point) => point[`${key}_${part}`]));
  const most = highest("p99");
  const least = Math.min(...points.map((point) => point[`${key}_p99`]));
  // Overload is cut off, but no curve as a whole; an SLO far above all that was measured would flatten the curves.
  const top = Math.min(1.08 * Math.max(most, bound <= 2 * most ? bound : 0), Math.max(4 * bound, 1.5 * least));
  const lines = [["P50", 1, "p50"], ["P99", 2, "p99"]].map(([words, colour, part]) => ({
    words: highest(part) > top ? `${words}, up to ${seconds(highest(part))}` : words,
    colour,
    values: points.map((point) => [point.rate, point[`${key}_${part}`] * scale]),
  }));
  const slo = { axis: "y", value: bound * scale, words: `SLO, ${seconds(bound)}${bound > top ? ", above the chart" : ""}` };
  return figure(`${name} against rate`, `${name}, ${unit}`, lines, [slo, ...kneeMark(found)], { x: found.high, y: top * scale });
}

function goodput(found, points) {
  const lines = [
    { words: "goodput", colour: 4, values: points.map((point) => [point.rate, point.goodput]) },
    { words: "offered", colour: 6, values: [[0, 0], [found.high, found.high]] },
  ];
  return figure("Goodput against rate", "requests/s inside the SLO", lines, kneeMark(found), { x: found.high, y: found.high });
}

const kneeMark = ({ knee }) => (knee ? [{ axis: "x", value: knee, words: `knee, ${round(knee)} requests/s` }] : []);

function figure(title, y, lines, marks, most) {
  const keys = [...lines.map(({ words, colour }) => [words, `key${colour}`]), ...marks.map(({ words, axis }) => [words, `key-${axis}`])];
  const label = `${title}: ${keys.map(([words]) => words).join("; ")}`;
  return element("figure", { class: "lab-figure" }, lineChart({ label, lines, marks, x: "rate per instance, requests/s", y, most }),
    element("figcaption", {}, keys.map(([words, colour]) => element("span", { class: `key ${colour}` }, words))));
}

function table(points, isOpen) {
  const head = ["requests/s", "TTFT P50", "TTFT P99", "TPOT P50", "TPOT P99", "goodput", "inside SLO"].map((words) => element("th", { scope: "col" }, words));
  const rows = points.map((p) => element("tr", {}, [round(p.rate), seconds(p.ttft_p50), seconds(p.ttft_p99), seconds(p.tpot_p50), seconds(p.tpot_p99), round(p.goodput), inside(p.slo_ok)].map((text) => element("td", {}, text))));
  return element("details", { class: "lab-numbers", open: isOpen }, element("summary", {}, `The numbers (${count(points.length, "rate")})`),
    element("div", { class: "table" }, element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows))));
}

/** Percent, never rounded up to the 99% that the knee is about. */
const inside = (share) => `${(Math.floor(share * 1000) / 10).toLocaleString("en")}%`;
