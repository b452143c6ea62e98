// Every submission, and every draft that gave way to another, with its text: nothing the reader wrote is lost.

import { answer, newId, within } from "./database.js";

const MOST = 200; // kept for each exercise

/** Keeps a submission with its verdict's status. */
export function keepSubmission(exercise, text, verdict) {
  return keep({ exercise, text, what: verdict.status, headline: verdict.headline });
}

/** Keeps a text that was not submitted; what: where it comes from. An empty one is not kept. */
export function keepText(exercise, text, what) {
  return text.trim() ? keep({ exercise, text, what, headline: "" }) : Promise.resolve();
}

/** The kept texts of an exercise, newest first: {id, at, text, what, headline}. */
export async function keptTexts(exercise) {
  const rows = await within("submission", "readonly", (store) => answer(store.index("exercise").getAll(exercise)));
  return rows.sort((one, other) => other.at - one.at);
}

async function keep(row) {
  const rows = await keptTexts(row.exercise);
  if (rows[0]?.text === row.text && rows[0].what === row.what) return;
  await within("submission", "readwrite", async (store) => {
    await answer(store.put({ id: newId(), at: Date.now() / 1000, ...row }));
    for (const old of rows.slice(MOST - 1)) store.delete(old.id);
  });
}
