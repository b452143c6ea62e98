// Workers for the page: one that works, one spare that boots meanwhile. A worker that ran someone's code is ended, never used again.
//
// Messages to a worker: {id, do: "ask", verb, text, memory} and {id, do: "snapshot"}.
// Messages back: {id, sent} meanwhile, then {id, answer} or {id, fatal}; id 0 is the boot.

import { readSnapshot, writeSnapshot } from "./snapshot.js";

/** The worker ended before it answered. `why`: "stopped", "time" or what the interpreter said last. */
export class Ended extends Error {
  constructor(why) {
    super(why);
    this.why = why;
  }
}

export class Pool {
  #next = 1;
  #workers = [];
  #hasSnapshot = false;
  #isReady = false;

  /** bundle: what openBundle gave; numpy: whether the workers need it. */
  constructor(bundle, { numpy = false } = {}) {
    this.bundle = bundle;
    this.numpy = numpy;
  }

  /** Starts the first worker; resolves when it is ready. Calling it again gives the same promise, or another try after a failure. */
  warm() {
    this.warmed ??= this.#open().catch((error) => {
      this.warmed = null;
      throw error;
    });
    return this.warmed;
  }

  get isReady() {
    return this.#isReady;
  }

  async #open() {
    this.opened ??= openFrame(this.bundle.frame);
    const loading = Promise.all([this.bundle.files({ numpy: this.numpy }), readSnapshot(this.bundle.core)]);
    loading.catch(() => {}); // awaited below, perhaps after another failure
    const [machine, port] = await Promise.all([this.bundle.machine(), this.opened]);
    this.port = port;
    port.onmessage = ({ data }) => this.#workers.find((worker) => worker.id === data.id)?.fail(data.broken);
    const stream = canPassStreams() ? machine.body : await machine.arrayBuffer();
    port.postMessage({ do: "machine", machine: stream }, [stream]);
    const [files, snapshot] = await loading;
    this.#hasSnapshot = Boolean(snapshot);
    port.postMessage({ do: "files", files, snapshot }, Object.values(files).filter((value) => value instanceof ArrayBuffer));
    try {
      await this.#waiting().ready;
    } catch (error) {
      if (!snapshot) throw error;
      await this.#forgetSnapshot(); // it is only a shortcut: Python boots the long way
      await this.#waiting().ready;
    }
    this.#isReady = true;
  }

  async #forgetSnapshot() {
    await writeSnapshot(this.bundle.core, null);
    this.#hasSnapshot = false;
    this.port.postMessage({ do: "keep", snapshot: null });
  }

  /** The worker that waits for work; booted if there is none. The second of a first visit leaves a snapshot for those to come. */
  #waiting() {
    const waiting = this.#workers.find((worker) => !worker.taken);
    if (waiting) return waiting;
    const takesSnapshot = !this.#hasSnapshot && this.#workers.length > 0;
    const worker = new Handle(this.#next++, this.port, this.bundle.runtime, takesSnapshot);
    this.#workers.push(worker);
    worker.ready.catch(() => this.#drop(worker)); // who waits for it hears of it; nobody is given it again
    if (takesSnapshot) {
      this.#hasSnapshot = true;
      worker.snapshot.then((bytes) => this.#keep(bytes)).catch(() => {});
    }
    return worker;
  }

  #keep(bytes) {
    const snapshot = new Blob([bytes]);
    writeSnapshot(this.bundle.core, snapshot);
    this.port.postMessage({ do: "keep", snapshot });
  }

  /** A worker that is ready or will be, taken out of the pool; the next one starts booting in its place. */
  async take() {
    await this.warm();
    const worker = this.#waiting();
    worker.taken = true;
    this.#waiting();
    return worker;
  }

  /** The waiting worker, for questions that run none of the learner's code. */
  async idle() {
    await this.warm();
    return this.#waiting();
  }

  /** Ends a worker for good, and whatever it is doing. The waiting one is usable at once. */
  end(worker, why = "stopped") {
    this.#drop(worker);
    worker.fail(why);
    this.#waiting();
  }

  #drop(worker) {
    this.port.postMessage({ do: "end", id: worker.id });
    this.#workers = this.#workers.filter((other) => other !== worker);
  }
}

class Handle {
  #asked = new Map();
  #next = 1;

  constructor(id, framePort, runtime, takesSnapshot) {
    const { port1, port2 } = new MessageChannel();
    this.id = id;
    this.port = port1;
    this.taken = false;
    port1.onmessage = ({ data }) => this.#hear(data);
    framePort.postMessage({ do: "start", id, runtime, takesSnapshot }, [port2]);
    const booted = this.#expect(0);
    // Asked for before anything else can be, so that no learner's code has run in what is kept.
    this.snapshot = takesSnapshot ? booted.then(() => this.#send({ do: "snapshot" })) : Promise.resolve(null);
    this.ready = booted.then(() => this.snapshot);
    this.ready.catch(() => {}); // whoever needs it awaits it
  }

  /** Asks the door inside Python. heard: called with what it sends meanwhile, parsed. memory: bytes it may grow to. */
  async ask(verb, question, { heard, memory } = {}) {
    await this.ready;
    return JSON.parse(await this.#send({ do: "ask", verb, text: JSON.stringify(question), memory }, heard));
  }

  /** Everything that is waited for ends with this. */
  fail(why) {
    for (const { reject } of this.#asked.values()) reject(new Ended(why));
    this.#asked.clear();
    this.port.close();
  }

  #send(message, heard) {
    const id = this.#next++;
    this.port.postMessage({ id, ...message });
    return this.#expect(id, heard);
  }

  #expect(id, heard) {
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject, heard }));
  }

  #hear(data) {
    const asked = this.#asked.get(data.id);
    if (!asked) return;
    if ("sent" in data) return asked.heard?.(JSON.parse(data.sent));
    this.#asked.delete(data.id);
    if ("fatal" in data) asked.reject(new Ended(data.fatal));
    else asked.resolve(data.answer);
  }
}

/** Opens the frame that has no origin, in which the workers live, and gives the port to it. */
async function openFrame(text) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.hidden = true;
  frame.title = "Python";
  frame.srcdoc = text;
  const ready = new Promise((resolve) => {
    addEventListener("message", function hear({ source, data }) {
      if (source !== frame.contentWindow || data !== "frame ready") return;
      removeEventListener("message", hear);
      const { port1, port2 } = new MessageChannel();
      frame.contentWindow.postMessage(null, "*", [port2]);
      resolve(port1);
    });
  });
  document.body.append(frame);
  return ready;
}

/** Whether this browser can hand a stream to another context; Safari learned it late. */
function canPassStreams() {
  try {
    const stream = new ReadableStream();
    new MessageChannel().port1.postMessage(stream, [stream]);
    return true;
  } catch {
    return false;
  }
}
