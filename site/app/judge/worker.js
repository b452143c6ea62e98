// The judge's worker, inside a frame without an origin. Its first message brings the files and the page's port; see pool.js.
import { capMemory, startPython } from "./interpreter.js";

const PLACE = "https://runtime.invalid/"; // no such place: everything Pyodide asks for is answered from memory
const EMPTY_ZIP = new Uint8Array([0x50, 0x4b, 5, 6, ...new Array(18).fill(0)]);
const setMemory = capMemory();

/** Answers fetch from memory. There is no network here anyway: the frame's policy forbids it. */
function serve(files) {
  globalThis.fetch = async (request) => {
    const name = String(request.url ?? request).replace(PLACE, "");
    if (!(name in files)) throw new TypeError(`${name} is not part of the bundle`);
    return new Response(files[name], { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "text/plain" } });
  };
}

/** Gives Pyodide the module that the frame compiles once for all its workers. */
function reuse(compiling) {
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const module = await compiling;
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

async function boot({ files, snapshot, runtime, numpy, takesSnapshot }, compiling) {
  serve({ "pyodide-lock.json": files.lock, "python_stdlib.zip": snapshot ? EMPTY_ZIP : files.stdlib, "pyodide.asm.wasm": "" });
  reuse(compiling);
  const [{ loadPyodide }, code] = await Promise.all([importText(files.loader), importText(files.code)]);
  globalThis._createPyodideModule ??= code.default; // 0.27 sets it by itself, later versions export it
  return startPython({
    loadPyodide,
    options: {
      indexURL: PLACE,
      lockFileURL: `${PLACE}pyodide-lock.json`,
      packageBaseUrl: PLACE,
      stdLibURL: `${PLACE}python_stdlib.zip`,
      _makeSnapshot: takesSnapshot && !snapshot,
    },
    practice: new Uint8Array(files.practice),
    snapshot: snapshot && snapshot.arrayBuffer().then((bytes) => new Uint8Array(bytes)),
    stdlib: { path: `/lib/python${runtime.python.replace(".", "")}.zip`, bytes: new Uint8Array(files.stdlib) },
    numpy: numpy && new Uint8Array(numpy),
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
  const compiling = new Promise((resolve) => (onmessage = ({ data }) => resolve(data.module))); // the second message, and the last
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
  const booted = boot(first, compiling);
  booted.then(() => post({ id: 0, answer: "ready" }), (error) => told(0, error));
};
