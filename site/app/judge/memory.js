// Stands in for the database where the browser keeps nothing: rows in memory, and in the tab's session storage as far as that takes them.

const NOT_KEPT = "snapshot"; // bytes, which are no JSON and can be made again

export class Memory {
  #stores = new Map();
  #turn = Promise.resolve();

  /** Whether pages that are opened later in this tab find the rows, too. */
  get outlivesPage() {
    try {
      sessionStorage.setItem("practice.tab", "1");
      return true;
    } catch {
      return false;
    }
  }

  /** What `within` of database.js does: one piece of work after the other. */
  within(name, work) {
    if (!this.#stores.has(name)) this.#stores.set(name, new Store(name));
    const result = this.#turn.then(() => work(this.#stores.get(name)));
    this.#turn = result.catch(() => {});
    return result;
  }
}

/** As much of an IDBObjectStore as is used here; what its methods give is a promise instead of a request. */
class Store {
  #rows;

  constructor(name) {
    this.name = name;
    this.#rows = new Map(this.#read().map((row) => [row.id, row]));
  }

  async get(id) {
    return this.#rows.get(id);
  }

  async getAll() {
    return [...this.#rows.values()];
  }

  async getAllKeys() {
    return [...this.#rows.keys()];
  }

  index(field) {
    return { getAll: async (value) => [...this.#rows.values()].filter((row) => row[field] === value) };
  }

  async put(row) {
    this.#rows.set(row.id, row);
    this.#write();
  }

  async delete(id) {
    this.#rows.delete(id);
    this.#write();
  }

  #read() {
    try {
      return JSON.parse(sessionStorage.getItem(`practice.tab.${this.name}`)) ?? [];
    } catch {
      return [];
    }
  }

  /** Once for all changes of one moment: an import makes thousands. */
  #write() {
    if (this.name === NOT_KEPT || this.isWriting) return;
    this.isWriting = true;
    queueMicrotask(() => {
      this.isWriting = false;
      try {
        sessionStorage.setItem(`practice.tab.${this.name}`, JSON.stringify([...this.#rows.values()]));
      } catch {
        // Off, or full: then only this page has them.
      }
    });
  }
}
