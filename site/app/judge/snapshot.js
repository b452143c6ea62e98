// Python's memory after its first boot, kept so that later boots take half as long. Only a shortcut: every failure means booting as usual.

import { answer, within } from "./database.js";

/** The bytes that were kept for `core` (the hash of everything Python boots from), or null. */
export async function readSnapshot(core) {
  try {
    const kept = await within("snapshot", "readonly", (store) => answer(store.get("python")));
    return kept?.core === core ? await kept.bytes.arrayBuffer() : null;
  } catch {
    return null;
  }
}

/** Keeps the bytes in place of any others; null deletes them. Never fails. */
export async function writeSnapshot(core, bytes) {
  try {
    const row = bytes && { id: "python", core, bytes: new Blob([bytes]) };
    await within("snapshot", "readwrite", (store) => answer(row ? store.put(row) : store.delete("python")));
  } catch {
    // No room, or a private window.
  }
}
