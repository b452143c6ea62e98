// The judge's worker, inside a frame without an origin. Its first message says how to boot and brings the page's port (see pool.js);
// then come the parts it boots from, {name, value} each, in any order and partly later.
import { capMemory, startPython } from "./interpreter.js";

const PLACE = "https://runtime.invalid/"; // no such place: everything Pyodide asks for is answered from memory
const EMPTY_ZIP = new Uint8Array([0x50, 0x4b, 5, 6, ...new Array(18).fill(0)]);
const setMemory = capMemory();

const parts = new Map();

/** A part Python boots from: {arrived: a promise of it, arrive: what keeps the promise; the first that comes counts}. */
function slot(name) {
  if (!parts.has(name)) {
    let arrive;
    const arrived = new Promise((resolve) => (arrive = resolve));
    parts.set(name, { arrived, arrive });
  }
  return parts.get(name);
}

const part = (name) => slot(name).arrived;
const bytes = async (name) => new Uint8Array(await part(name));

/** Answers fetch from memory: `files` are promises. There is no network here anyway: the frame's policy forbids it. */
function serve(files) {
  globalThis.fetch = async (request) => {
    const name = String(request.url ?? request).replace(PLACE, "");
    if (!(name in files)) throw new TypeError(`${name} is not part of the bundle`);
    return new Response(await files[name], { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "text/plain" } });
  };
}

/** Gives Pyodide the module that the frame compiles once for all its workers. */
function reuseModule() {
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const module = await part("module");
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
}

async function importText(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function boot({ runtime, numpy, takesSnapshot }) {
  reuseModule();
  const [{ loadPyodide }, code, snapshot] = await Promise.all([part("loader").then(importText), part("code").then(importText), part("snapshot")]);
  globalThis._createPyodideModule ??= code.default; // 0.27 sets it by itself, later versions export it
  serve({ "pyodide-lock.json": part("lock"), "python_stdlib.zip": snapshot ? EMPTY_ZIP : part("stdlib"), "pyodide.asm.wasm": "" });
  return startPython({
    loadPyodide,
    options: {
      indexURL: PLACE,
      lockFileURL: `${PLACE}pyodide-lock.json`,
      packageBaseUrl: PLACE,
      stdLibURL: `${PLACE}python_stdlib.zip`,
      _makeSnapshot: takesSnapshot && !snapshot,
    },
    practice: bytes("practice"),
    snapshot: snapshot && snapshot.arrayBuffer().then((kept) => new Uint8Array(kept)),
    stdlib: { path: `/lib/python${runtime.python.replace(".", "")}.zip`, bytes: bytes("stdlib") },
    numpy: numpy && (await bytes("numpy")),
  });
}

const DEEDS = {
  snapshot(python) {
    const bytes = python.makeSnapshot().slice();
    python.open();
    return [bytes, [bytes.buffer]];
  },
  ask(python, { id, verb, text, memory }, port) {
    if (memory) setMemory(memory);
    return [python.ask(verb, text, (sent) => port.postMessage({ id, sent }))];
  },
};

onmessage = async ({ data: first, ports: [port] }) => {
  onmessage = ({ data: { name, value } }) => slot(name).arrive(value);
  const post = port.postMessage.bind(port);
  let python;
  // The last line says it; a Python traceback comes before it.
  const told = (id, error) => post({ id, fatal: String(error?.message ?? error).trim().split("\n").pop().slice(0, 500) });
  port.onmessage = async ({ data: message }) => {
    try {
      const [answer, transfer] = DEEDS[message.do](await booted, message, port);
      post({ id: message.id, answer }, transfer ?? []);
    } catch (error) {
      told(message.id, error); // the interpreter itself died; what Python code raises is caught in Python
    }
  };
  const booted = boot(first);
  booted.then(() => post({ id: 0, answer: "ready" }), (error) => told(0, error));
};
