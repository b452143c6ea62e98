// Python itself, the same in a web worker (worker.js) and under Node (practice/bundle/node_judge.mjs).
// No imports: the bundle puts this file and worker.js into one script, because a worker without an origin can load no other.

/** The most bytes Python's memory may grow to, whatever an exercise asks for: two workers must fit into a phone. */
const MOST_MEMORY = 512 * 2 ** 20;

/**
 * Keeps WebAssembly memory under a number of bytes: past it, Python raises MemoryError and stays usable.
 * Returns a function that sets another number.
 */
export function capMemory(bytes = MOST_MEMORY) {
  let most = bytes;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > most) throw new RangeError("memory limit");
    return grow.call(this, pages);
  };
  return (wanted) => {
    most = Math.min(wanted, MOST_MEMORY);
  };
}

/**
 * Boots Python and our archive in it.
 *
 * loadPyodide: Pyodide's own function; options: what it needs to find its files.
 * Bytes may be promises of them.
 * practice: bytes of our archive (kernel, simulator, practice.bundle.inside).
 * snapshot: bytes that `makeSnapshot` gave earlier from the very same files, or nothing.
 * stdlib: {path, bytes} of the standard library; written here after a snapshot, which comes without files.
 * numpy: bytes of the slimmed wheel, or nothing.
 */
export async function startPython({ loadPyodide, options, practice, snapshot, stdlib, numpy }) {
  const pyodide = await loadPyodide({
    ...options,
    // Python's `js` module holds nothing of the browser. The real walls are the missing origin and the frame's policy.
    jsglobals: { Object, Array, Promise, Error, setTimeout, clearTimeout },
    stdin: () => null,
    ...(snapshot ? { _loadSnapshot: snapshot } : {}),
  });
  if (snapshot) pyodide.FS.writeFile(stdlib.path, await stdlib.bytes);
  pyodide.FS.writeFile("/lib/practice.zip", await practice);
  if (!snapshot) pyodide.runPython("import sys; sys.path.insert(0, '/lib/practice.zip'); import practice.bundle.inside.door");
  const python = new Python(pyodide, numpy);
  if (!options._makeSnapshot) python.open();
  return python;
}

class Python {
  #handle = null;

  constructor(pyodide, numpy) {
    this.pyodide = pyodide;
    this.numpy = numpy;
  }

  /** The heap as bytes, to boot from next time. Only before `open`, since it can hold neither numpy nor anything of JavaScript's. */
  makeSnapshot() {
    return this.pyodide.makeMemorySnapshot();
  }

  /** Makes Python ready for questions; with numpy it takes about 0.3 s. */
  open() {
    if (this.numpy) this.pyodide.FS.writeFile("/tmp/numpy.zip", this.numpy);
    this.#handle = this.pyodide.runPython(`practice.bundle.inside.door.enter(${this.numpy ? "True" : "False"})`);
    this.numpy = undefined;
  }

  /** Asks practice.bundle.inside.door: verb and text in, text out; `post` is called with the texts it sends meanwhile. */
  ask(verb, text, post) {
    return this.#handle(verb, text, post);
  }
}
