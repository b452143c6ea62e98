// Python's memory after its first boot, kept so that later boots take half as long. Only a shortcut: every failure means booting as usual.

import { answer, within } from "./database.js";

/** A Blob of the bytes that were kept for `core` (the hash of everything Python boots from), or null. */
export async function readSnapshot(core) {
  try {
    const kept = await within("snapshot", "readonly", (store) => answer(store.get("python")));
    return kept?.core === core ? kept.bytes : null;
  } catch {
    return null;
  }
}

/** Keeps a Blob in place of any other; null deletes it. Never fails. */
export async function writeSnapshot(core, bytes) {
  try {
    const row = bytes && { id: "python", core, bytes };
    await within("snapshot", "readwrite", (store) => answer(row ? store.put(row) : store.delete("python")));
  } catch {
    // No room, or a private window.
  }
}
