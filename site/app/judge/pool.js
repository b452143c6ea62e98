// Workers for the page: one that works, one spare that boots meanwhile. A worker that ran someone's code is ended, never used again.
//
// Messages to a worker: {id, do: "ask", verb, text, memory} and {id, do: "snapshot"}.
// Messages back: {id, sent} meanwhile, then {id, answer} or {id, fatal}; id 0 is the boot.

import { readSnapshot, writeSnapshot } from "./snapshot.js";

const PAUSE = 150; // milliseconds that a judged submission has the machine for itself before the next worker boots: most are done by then

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
  #cancel = null;

  /** bundle: what openBundle gave; numpy: whether the workers need it. */
  constructor(bundle, { numpy = false } = {}) {
    this.bundle = bundle;
    this.numpy = numpy;
  }

  /** Starts the first worker; resolves when it is ready. Calling it again gives the same promise, or another try after a failure. */
  warm() {
    this.warmed ??= this.#open().catch((error) => {
      this.warmed = null;
      this.#workers.forEach((worker) => this.#drop(worker));
      throw error;
    });
    return this.warmed;
  }

  get isReady() {
    return this.#isReady;
  }

  /** The first worker starts as soon as its script is there, and is given the other parts as they come. */
  async #open() {
    const parts = { ...this.bundle.parts({ numpy: this.numpy }), snapshot: readSnapshot(this.bundle.core) };
    for (const part of Object.values(parts)) part.catch(() => {}); // awaited below, perhaps after another failure
    this.opened ??= openFrame(this.bundle.frame);
    this.port = await this.opened;
    this.port.onmessage = ({ data }) => this.#workers.find((worker) => worker.id === data.id)?.fail(data.broken);
    const given = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, this.#give(name, part)]));
    for (const handed of Object.values(given)) handed.catch(() => {});
    await given.worker;
    const first = this.#waiting();
    await Promise.all(Object.values(given));
    const snapshot = await parts.snapshot;
    this.#hasSnapshot = Boolean(snapshot);
    try {
      await first.ready;
    } catch (error) {
      if (!snapshot) throw error;
      await this.#forgetSnapshot(); // it is only a shortcut: Python boots the long way
      await this.#waiting().ready;
    }
    this.#isReady = true;
  }

  /** Hands a part to the frame once it is there. */
  async #give(name, part) {
    let value = await part;
    if (value instanceof Response) value = canPassStreams() ? value.body : await value.arrayBuffer();
    const isMoved = value instanceof ArrayBuffer || value instanceof ReadableStream;
    this.port.postMessage({ do: "part", name, value }, isMoved ? [value] : []);
  }

  async #forgetSnapshot() {
    this.#hasSnapshot = false;
    await Promise.all([writeSnapshot(this.bundle.core, null), this.#give("snapshot", null)]);
  }

  /** The worker that waits for work; booted if there is none. The second of a first visit leaves a snapshot for those to come. */
  #waiting() {
    const waiting = this.#workers.find((worker) => !worker.taken);
    if (waiting) return waiting;
    const takesSnapshot = !this.#hasSnapshot && this.#workers.length > 0;
    const worker = new Handle(this.#next++, this.port, { runtime: this.bundle.runtime, numpy: this.numpy, takesSnapshot });
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
    this.#give("snapshot", snapshot);
  }

  /** A worker that is ready or will be, taken out of the pool; the next one soon boots in its place. */
  async take() {
    const cancelled = new Promise((_, reject) => (this.#cancel = () => reject(new Ended("stopped"))));
    await Promise.race([this.warm(), cancelled]);
    const worker = this.#waiting();
    worker.taken = true;
    setTimeout(() => this.#waiting(), PAUSE);
    return worker;
  }

  /** Ends the wait of `take` for Python that is still loading; the loading goes on. */
  cancel() {
    this.#cancel?.();
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

  constructor(id, framePort, boot) {
    const { port1, port2 } = new MessageChannel();
    this.id = id;
    this.port = port1;
    this.taken = false;
    port1.onmessage = ({ data }) => this.#hear(data);
    framePort.postMessage({ do: "start", id, ...boot }, [port2]);
    const booted = this.#expect(0);
    // Asked for before anything else can be, so that no learner's code has run in what is kept.
    this.snapshot = boot.takesSnapshot ? booted.then(() => this.#send({ do: "snapshot" })) : Promise.resolve(null);
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
