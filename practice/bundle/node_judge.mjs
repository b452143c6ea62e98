// node node_judge.mjs FOLDER: the browser's Python under Node, for tests. One JSON line in: {verb, question, seconds}; one line out:
// {sent: [...], answer} or {sent: [...], ended: "time" | what the interpreter said last}. Python runs in a thread that can be ended.
import { createInterface } from "node:readline";
import { readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const folder = isMainThread ? process.argv[2] : workerData;

const lastLine = (error) => String(error?.message ?? error).trim().split("\n").pop().slice(0, 500);

async function work() {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const { capMemory, startPython } = await import(pathToFileURL(join(folder, "interpreter.mjs")).href);
  const bytes = (name) => (existsSync(join(folder, name)) ? new Uint8Array(readFileSync(join(folder, name))) : undefined);
  const setMemory = capMemory();
  const python = await startPython({
    loadPyodide,
    options: { indexURL: folder + "/" },
    practice: bytes("practice.zip"),
    numpy: bytes("numpy.zip"),
  });
  parentPort.on("message", ({ verb, question, memory }) => {
    if (memory) setMemory(memory);
    try {
      parentPort.postMessage({ answer: python.ask(verb, JSON.stringify(question), (sent) => parentPort.postMessage({ sent })) });
    } catch (error) {
      parentPort.postMessage({ ended: lastLine(error) });
    }
  });
  parentPort.postMessage({ ready: true });
}

function boot() {
  const worker = new Worker(new URL(import.meta.url), { workerData: folder, stdout: true, stderr: true });
  const ready = new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  return { worker, ready };
}

/** Asks once; the clock starts again whenever something is sent, since it is one check's time that is limited. */
function ask({ worker }, line) {
  return new Promise((resolve) => {
    const sent = [];
    let timer = null;
    const done = (outcome) => {
      clearTimeout(timer);
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
      resolve({ sent, ...outcome });
    };
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => done({ ended: "time" }), (line.seconds ?? 60) * 1000);
    };
    const listeners = {
      message(message) {
        if (!("sent" in message)) return done(message);
        sent.push(JSON.parse(message.sent));
        if (!("call" in sent.at(-1))) watch(); // a check that never ends may go on making calls
      },
      error: (error) => done({ ended: lastLine(error) }),
      exit: () => done({ ended: "the interpreter exited" }),
    };
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
    worker.postMessage(line);
    watch();
  });
}

async function main() {
  let current = boot();
  for await (const line of createInterface({ input: process.stdin })) {
    await current.ready;
    const outcome = await ask(current, JSON.parse(line));
    if ("ended" in outcome) {
      current.worker.terminate();
      current = boot();
    }
    process.stdout.write(JSON.stringify(outcome) + "\n");
  }
  process.exit(0);
}

await (isMainThread ? main() : work());
