// The bundle's files, by the manifest that the build wrote: hashed names, so a page only ever gets the files it was built with.

/** Reads the manifest that the element names in `data-manifest`, an address relative to the page. */
export async function openBundle(element) {
  const address = new URL(element.dataset.manifest, document.baseURI);
  return new Bundle(address, await load(address, "json"));
}

/** The response as soon as it begins. */
async function ask(address) {
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) throw new Error(`${address.pathname} could not be loaded (${response?.status ?? "no connection"})`);
  return response;
}

async function load(address, kind) {
  return (await ask(address))[kind]();
}

class Bundle {
  constructor(address, manifest) {
    this.address = address;
    this.runtime = manifest.runtime;
    this.core = manifest.core; // a hash over everything Python boots from
    this.frame = manifest.frame; // the sandboxed frame's document, as text
    this.names = manifest.files;
    this.exercises = manifest.exercises;
  }

  #get(name, kind) {
    return load(new URL(name, this.address), kind);
  }

  /** Python's WebAssembly, as a response whose body may still be on its way. */
  machine() {
    return ask(new URL(this.names.machine, this.address));
  }

  /** Everything else a worker boots from, as texts and bytes. */
  async files({ numpy }) {
    const texts = ["loader", "code", "worker", "lock"];
    const keys = [...texts, "stdlib", "practice", ...(numpy ? ["numpy"] : [])];
    const kind = (key) => (texts.includes(key) ? "text" : "arrayBuffer");
    return Object.fromEntries(await Promise.all(keys.map(async (key) => [key, await this.#get(this.names[key], kind(key))])));
  }

  /** One exercise as the judge takes it, or null when the browser cannot judge it. */
  async exercise(id) {
    return id in this.exercises ? this.#get(this.exercises[id], "json") : null;
  }

  /** A further file of the bundle, as bytes. */
  extra(key) {
    return this.#get(this.names[key], "arrayBuffer");
  }
}
