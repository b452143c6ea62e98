// Runs inside the sandboxed frame, which has no origin and no network: starts and ends the workers. The bundle puts it into the frame's
// document as its one inline script, allowed by its hash: a frame without an origin can load no file when offline.
addEventListener("message", ({ ports: [port] }) => {
  const workers = new Map();
  const parts = {}; // what every worker is given, as far as it is there
  let address = null;

  function give(name, value) {
    parts[name] = value;
    for (const worker of workers.values()) worker.postMessage({ name, value });
  }

  const broken = (id, words) => port.postMessage({ id, broken: words });

  /** Compiled once for all workers, while it is still being loaded where the browser can pass a stream. */
  function compile(machine) {
    const asResponse = () => new Response(machine, { headers: { "Content-Type": "application/wasm" } });
    const module = machine instanceof ArrayBuffer ? WebAssembly.compile(machine) : WebAssembly.compileStreaming(asResponse());
    return module.then((compiled) => give("module", compiled), (error) => [...workers.keys()].forEach((id) => broken(id, String(error))));
  }

  const deeds = {
    part({ name, value }) {
      if (name === "machine") compile(value);
      else if (name === "worker") address = URL.createObjectURL(new Blob([value], { type: "text/javascript" }));
      else give(name, value);
    },
    start({ id, ...first }, own) {
      const worker = new Worker(address); // a classic one: module workers do not start from a blob without an origin
      worker.onerror = (event) => broken(id, event.message || "the worker did not start");
      worker.postMessage(first, [own]);
      for (const [name, value] of Object.entries(parts)) worker.postMessage({ name, value });
      workers.set(id, worker);
    },
    end({ id }) {
      workers.get(id)?.terminate();
      workers.delete(id);
    },
  };
  port.onmessage = ({ data, ports }) => deeds[data.do](data, ports[0]);
}, { once: true });
parent.postMessage("frame ready", "*");
