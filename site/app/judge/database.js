// One IndexedDB database for drafts, submissions, the progress log and Python's snapshot. It exists on plain HTTP too, where caches do not.
// Where it cannot be opened (a private window, storage switched off, another page that holds it up), memory.js stands in.

import { Memory } from "./memory.js";

const STORES = { draft: "id", submission: "id", event: "id", snapshot: "id" };
const PATIENCE = 3000; // milliseconds that opening may take; it takes less than 100
let opening = null;
let memory = null;
let tellNotKept;

/** Words for the reader, once it turns out that nothing is kept here. */
export const notKept = new Promise((resolve) => (tellNotKept = resolve));

/** The database, or null when it cannot be had. A connection that was closed is opened again. */
function open() {
  if (memory) return null;
  opening ??= connect().catch((error) => {
    memory = new Memory();
    const end = memory.outlivesPage ? "when you close this tab" : "when you leave this page";
    tellNotKept(`This browser keeps nothing for this site (${String(error?.message || error).replace(/\.$/, "")}): what you write and solve here is gone ${end}. Share and Export take it with you.`);
    return null;
  });
  return opening;
}

function connect() {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("its storage does not answer")), PATIENCE);
    const request = indexedDB.open("practice", 1);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, { keyPath });
      const submissions = request.transaction.objectStore("submission");
      submissions.createIndex("exercise", "exercise");
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      if (memory) return request.result.close(); // came too late: two places at once would part what belongs together
      request.result.onversionchange = () => close(request.result); // another tab deletes it or makes it newer
      request.result.onclose = () => (opening = null); // the browser cleared the site's data
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds an older version of it; close the other tabs and reload"));
  });
}

function close(database) {
  opening = null;
  database.close();
}

/** 32 hexadecimal digits, unlike any other; crypto.randomUUID is missing on plain HTTP. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The answer of one IndexedDB request, or of what stands in for one. */
export async function answer(request) {
  if (request instanceof Promise) return request;
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Runs `work(store)` in one transaction of a store and gives its answer once it is on disk.
 * Transactions of all tabs wait for each other, so a read and the write after it cannot be parted.
 */
export async function within(name, mode, work) {
  const transaction = await begin(name, mode);
  if (!transaction) return memory.within(name, work);
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
  done.catch(() => {}); // awaited below, unless the work itself fails
  const result = await work(transaction.objectStore(name));
  await done;
  return result;
}

/** A transaction, or null where there is no database. Opens it once more when the connection turns out to be closed. */
async function begin(name, mode) {
  for (const isLast of [false, true]) {
    const database = await open();
    if (!database) return null;
    try {
      return database.transaction(name, mode, { durability: "strict" });
    } catch (error) {
      if (isLast || error.name !== "InvalidStateError") throw error;
      opening = null;
    }
  }
  return null;
}
