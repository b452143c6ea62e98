// node freeze.mjs PYODIDE-FOLDER JOBS.json: runs freeze.py inside Pyodide once for each job.
// A job: {source: path of a zip, result: path to write, ...what freeze.py reads}.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder, jobs] = [resolve(process.argv[2]), JSON.parse(readFileSync(process.argv[3], "utf8"))];
const script = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "freeze.py"), "utf8");

async function main() {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  // A fixed hash seed: the order of a set of names reaches the compiled bytes.
  const pyodide = await loadPyodide({ indexURL: folder + "/", env: { PYTHONHASHSEED: "0" } });
  for (const job of jobs) freeze(pyodide, job);
}

function freeze(pyodide, { source, result, ...rest }) {
  const given = { ...rest, source: "/source.zip" };
  if (source === "stdlib") {
    given.source = pyodide.runPython("import sys; [path for path in sys.path if path.endswith('.zip')][0]");
    given.at = given.source + "/";
  } else {
    pyodide.FS.writeFile("/source.zip", new Uint8Array(readFileSync(source)));
  }
  pyodide.FS.writeFile("/job.json", JSON.stringify(given));
  pyodide.runPython(script, { globals: pyodide.toPy({ __name__: "__main__" }) });
  writeFileSync(result, pyodide.FS.readFile("/result.zip"));
}

// Caught here because Node prints the whole line that failed, and Emscripten's code is one line of a megabyte.
main().catch((error) => {
  console.error(String(error.message ?? error).slice(0, 4000));
  process.exitCode = 1;
});
