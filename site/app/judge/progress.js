// The log of what the reader did: the same events and the same JSON as the shell's (docs/verdict-and-progress-formats.md).

import { answer, newId, within } from "./database.js";

const FORMAT = 1;

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
  const rows = await within("event", "readonly", (store) => answer(store.getAll()));
  return rows.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

/** Everything, as the text that `importProgress` and `judge.py progress import` read. */
export async function exportProgress() {
  return JSON.stringify({ format: FORMAT, events: await events() });
}

/** Adds the events of an export that are not here yet and gives their number; all of them, or none with an Error that says why. */
export async function importProgress(text) {
  const rows = readExport(text);
  return within("event", "readwrite", async (store) => {
    let added = 0;
    for (const row of rows) {
      if (await answer(store.getKey(row.id))) continue;
      await answer(store.add(row));
      added += 1;
    }
    return added;
  });
}

function readExport(text) {
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    throw new Error("this is no progress export: it is not JSON");
  }
  if (!Array.isArray(data?.events)) throw new Error('this is no progress export: it must be an object with "format" and "events"');
  if (data.format !== FORMAT) throw new Error(`the export's format is ${data.format}, but this version reads ${FORMAT}`);
  return data.events.map(readEvent);
}

function readEvent({ id, at, kind, number = 0, data = {} } = {}) {
  const isText = (value) => typeof value === "string" && value.length > 0 && value.length <= 64;
  const expect = (holds, key, words) => {
    if (!holds) throw new Error(`this progress export cannot be read: \`${key}\` of an event must be ${words}`);
  };
  expect(isText(id), "id", "text of 1 to 64 characters");
  expect(Number.isFinite(at) && at >= 0 && at < 1e11, "at", "a number of seconds since 1970");
  expect(isText(kind), "kind", "text of 1 to 64 characters");
  expect(Number.isInteger(number) && number >= 0 && number < 2 ** 31, "number", "an exercise's number, or 0");
  expect(data && typeof data === "object" && !Array.isArray(data), "data", "an object");
  return { id, at, kind, number, data };
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
