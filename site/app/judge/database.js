// One IndexedDB database for drafts, submissions, the progress log and Python's snapshot. It exists on plain HTTP too, where caches do not.

const STORES = { draft: "id", submission: "id", event: "id", snapshot: "id" };
let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("practice", 1);
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, { keyPath });
      const submissions = request.transaction.objectStore("submission");
      submissions.createIndex("exercise", "exercise");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/** 32 hexadecimal digits, unlike any other; crypto.randomUUID is missing on plain HTTP. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The answer of one IndexedDB request. */
export function answer(request) {
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
  const database = await open();
  const transaction = database.transaction(name, mode, { durability: "strict" });
  const done = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
  const result = await work(transaction.objectStore(name));
  await done;
  return result;
}
