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

  /** What a worker boots from, by name: promises of texts and bytes; the machine is a response whose body may still be on its way. */
  parts({ numpy }) {
    const kinds = { worker: "text", loader: "text", code: "text", lock: "text", stdlib: "arrayBuffer", practice: "arrayBuffer", ...(numpy ? { numpy: "arrayBuffer" } : {}) };
    const machine = ask(new URL(this.names.machine, this.address));
    return { machine, ...Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, this.#get(this.names[name], kind)])) };
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
