// Runs inside the sandboxed frame, which has no origin and no network: starts and ends the workers. The bundle puts it into the frame's
// document as its one inline script, allowed by its hash: a frame without an origin can load no file when offline.
addEventListener("message", ({ data: { files }, ports: [port] }) => {
  const address = URL.createObjectURL(new Blob([files.worker], { type: "text/javascript" }));
  const module = WebAssembly.compile(files.machine); // once, for all workers
  const { loader, code, lock, stdlib, practice } = files;
  const workers = new Map();
  let { numpy, snapshot } = files;

  async function start({ id, runtime, takesSnapshot }, own) {
    const worker = new Worker(address); // a classic one: module workers do not start from a blob without an origin
    workers.set(id, worker);
    worker.onerror = (event) => port.postMessage({ id, broken: event.message || "the worker did not start" });
    const first = { files: { loader, code, lock, stdlib, practice }, numpy, snapshot, runtime, takesSnapshot, module: await module };
    worker.postMessage(first, [own]);
  }

  const deeds = {
    start: (message, own) => start(message, own).catch((error) => port.postMessage({ id: message.id, broken: String(error) })),
    end({ id }) {
      workers.get(id)?.terminate();
      workers.delete(id);
    },
    keep: (message) => {
      snapshot = message.snapshot;
    },
  };
  port.onmessage = ({ data, ports }) => deeds[data.do](data, ports[0]);
}, { once: true });
parent.postMessage("frame ready", "*");
