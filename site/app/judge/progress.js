// The log of what the reader did: the same events and the same JSON as the shell's (docs/verdict-and-progress-formats.md).

import { answer, newId, within } from "./database.js";

const FORMAT = 1;
const BATCH = 1000; // imported events in one row: a row for each takes ten times as long

/** Adds one event. kind: start, attempt, hint, solution or after; number: the exercise's. Never fails. */
export async function record(kind, number, data = {}) {
  try {
    const event = { id: newId(), at: Date.now() / 1000, kind, number, data };
    await within("event", "readwrite", (store) => answer(store.put(event)));
  } catch {
    // A private window without storage: practice goes on without a log.
  }
}

/** All events, oldest first. */
export async function events() {
  const found = await within("event", "readonly", stored);
  return found.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

/** Events as they lie in the store: one a row, or {id, batch: events} from an import. */
async function stored(store) {
  return (await answer(store.getAll())).flatMap((row) => row.batch ?? row);
}

/** Everything, as the text that `importProgress` and `judge.py progress import` read. */
export async function exportProgress() {
  return JSON.stringify({ format: FORMAT, events: await events() });
}

/** Adds the events of an export that are not here yet and gives their number; all of them, or none with an Error that says why. */
export async function importProgress(text) {
  const rows = readExport(text);
  return within("event", "readwrite", async (store) => {
    const known = new Set((await stored(store)).map((event) => event.id));
    const fresh = [...new Map(rows.filter((row) => !known.has(row.id)).map((row) => [row.id, row])).values()];
    for (let at = 0; at < fresh.length; at += BATCH) await answer(store.put({ id: newId(), batch: fresh.slice(at, at + BATCH) }));
    return fresh.length;
  });
}

function readExport(text) {
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("this is no progress export: it is not JSON");
  }
  if (!Array.isArray(data?.events)) throw new Error(`this is no progress export: it must be an object with "format" and "events", but it is ${shown(data)}`);
  if (!("format" in data)) throw new Error(`this progress export does not say its "format"; this version reads ${FORMAT}`);
  if (data.format !== FORMAT) throw new Error(`the export's format is ${shown(data.format)}, but this version reads ${FORMAT}`);
  return data.events.map((event, index) => readEvent(event, `event ${index + 1} of ${data.events.length}`));
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isText = (value) => typeof value === "string" && value.length > 0 && value.length <= 64;
const FIELDS = {
  id: [isText, "text of 1 to 64 characters"],
  at: [(value) => Number.isFinite(value) && value >= 0 && value < 1e11, "a number of seconds since 1970"],
  kind: [isText, "text of 1 to 64 characters"],
  number: [(value) => Number.isInteger(value) && value >= 0 && value < 2 ** 31, "an exercise's number, or 0"],
  data: [isObject, "an object"],
};

/** The row of one event; place: which one it is, for messages. */
function readEvent(event, place) {
  if (!isObject(event)) throw new Error(`this progress export cannot be read: ${place} is ${shown(event)}, but it must be an object with ${Object.keys(FIELDS).join(", ")}`);
  const row = { number: 0, data: {}, ...event };
  for (const [key, [holds, words]] of Object.entries(FIELDS)) {
    const found = key in row ? `is ${shown(row[key])}` : "is missing";
    if (!holds(row[key])) throw new Error(`this progress export cannot be read: \`${key}\` of ${place} ${found}, but it must be ${words}`);
  }
  const { id, at, kind, number, data } = row;
  return { id, at, kind, number, data };
}

/** A value as JSON, shortened. */
function shown(value) {
  const text = JSON.stringify(value);
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}

/** Exercise number to {state, attempts, hints, solvedAt, passed, total, lastAt}; state: solved, tried or started. */
export function standings(log) {
  const found = new Map();
  for (const event of log) {
    if (!event.number) continue;
    const one = found.get(event.number) ?? { state: "started", attempts: 0, hints: new Set(), solvedAt: null, passed: 0, total: 0 };
    one.lastAt = event.at;
    if (event.kind === "hint") one.hints.add(event.data.index ?? 1);
    if (event.kind === "attempt") {
      one.attempts += 1;
      if (event.data.status === "accepted") one.solvedAt ??= event.at;
      if ((event.data.passed ?? 0) >= one.passed) [one.passed, one.total] = [event.data.passed ?? 0, event.data.total ?? 0];
      one.state = one.solvedAt === null ? "tried" : "solved";
    }
    found.set(event.number, one);
  }
  return found;
}
