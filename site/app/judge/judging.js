// One submission judged: takes a worker, watches the clock, and gets a verdict whatever happens to the worker.

import { Ended } from "./pool.js";

const GRACE = 1; // seconds beside twice the limit: checks and reference take time too, and Python itself tells what was merely late
const LOADING = 20; // seconds until the first check must have started
const IDEA = 6; // seconds for finding the known-wrong submission that answers the same

export class Judging {
  #worker = null;
  #timer = 0;

  constructor(pool, exercise) {
    this.pool = pool;
    this.exercise = exercise;
  }

  /**
   * The verdict, or null when it was stopped.
   * names: called with the names of the checks that will run; result: with each check's result as it comes.
   */
  async judge(submission, { examplesOnly = false, names = () => {}, result = () => {} }) {
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    const request = { format: 1, exercise: this.exercise, submission, seed, examples_only: examplesOnly };
    const first = await this.#run(request, names, result);
    if (first !== "no idea") return first;
    // A known-wrong submission did not end: the same again, without looking for one that answers alike.
    return this.#run({ ...request, exercise: { ...this.exercise, wrong: [] } }, names, result);
  }

  /** Ends what runs, or the wait for Python; `judge` then gives null. */
  stop() {
    if (this.#worker) this.pool.end(this.#worker, "stopped");
    else this.pool.cancel();
  }

  async #run(request, names, result) {
    const worker = await this.pool.take().catch((error) => {
      if (error.why !== "stopped") throw error;
    });
    if (!worker) return null;
    this.#worker = worker;
    const seen = { results: [], phase: "", call: "", limit: 1 };
    const heard = (message) => {
      if (message.names) {
        seen.limit = message.limit;
        names(message.names);
      }
      if (message.phase) {
        seen.phase = message.phase;
        seen.call = "";
        this.#watch(worker, seen.phase === "idea" ? IDEA : 2 * seen.limit + GRACE);
      }
      if ("call" in message) seen.call = message.call;
      if (message.result) {
        seen.results.push(message.result);
        result(message.result);
      }
    };
    this.#watch(worker, LOADING);
    try {
      return await worker.ask("judge", request, { heard, memory: this.exercise.limits.memory });
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      if (error.why === "stopped") return null;
      if (seen.phase === "idea") return "no idea";
      const spare = await this.pool.idle();
      return spare.ask("ended", { request, results: seen.results, call: seen.call, why: error.why });
    } finally {
      clearTimeout(this.#timer);
      this.#worker = null;
      this.pool.end(worker); // someone's code ran in it
    }
  }

  #watch(worker, seconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.pool.end(worker, "time"), seconds * 1000);
  }
}
