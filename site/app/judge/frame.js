// Runs inside the sandboxed frame, which has no origin and no network: starts and ends the workers. The bundle puts it into the frame's
// document as its one inline script, allowed by its hash: a frame without an origin can load no file when offline.
addEventListener("message", ({ ports: [port] }) => {
  const workers = new Map();
  const kept = {};

  const deeds = {
    /** Compiled once for all workers, while it is still being loaded where the browser can pass a stream. */
    machine({ machine }) {
      const asResponse = () => new Response(machine, { headers: { "Content-Type": "application/wasm" } });
      kept.module = machine instanceof ArrayBuffer ? WebAssembly.compile(machine) : WebAssembly.compileStreaming(asResponse());
      kept.module.catch(() => {}); // whoever starts a worker hears of it
    },
    files({ files: { worker, numpy, ...files }, snapshot }) {
      Object.assign(kept, { files, numpy, snapshot, address: URL.createObjectURL(new Blob([worker], { type: "text/javascript" })) });
    },
    keep({ snapshot }) {
      kept.snapshot = snapshot;
    },
    start({ id, runtime, takesSnapshot }, own) {
      const { files, numpy, snapshot, module, address } = kept;
      const worker = new Worker(address); // a classic one: module workers do not start from a blob without an origin
      const broken = (words) => port.postMessage({ id, broken: words });
      worker.onerror = (event) => broken(event.message || "the worker did not start");
      workers.set(id, worker);
      worker.postMessage({ files, numpy, snapshot, runtime, takesSnapshot }, [own]);
      module.then((compiled) => worker.postMessage({ module: compiled }), (error) => broken(String(error)));
    },
    end({ id }) {
      workers.get(id)?.terminate();
      workers.delete(id);
    },
  };
  port.onmessage = ({ data, ports }) => deeds[data.do](data, ports[0]);
}, { once: true });
parent.postMessage("frame ready", "*");
