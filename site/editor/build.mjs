// `npm ci && npm run build` in this folder: ../static/vendor/editor.js and its hash in editor.sha256, both committed.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const target = new URL("../static/vendor/editor.js", import.meta.url);
const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const names = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
const licence = "MIT License, Copyright (C) 2018-2021 by Marijn Haverbeke <marijn@haverbeke.berlin> and others";

await build({
  entryPoints: [new URL("editor.mjs", import.meta.url).pathname],
  outfile: target.pathname,
  bundle: true,
  format: "esm",
  minify: true,
  target: ["es2022"],
  legalComments: "none",
  banner: { js: `/* CodeMirror 6: ${names.join(", ")}. ${licence}. Made by site/editor/build.mjs. */` },
});

const hash = createHash("sha256").update(readFileSync(target)).digest("hex");
writeFileSync(new URL("editor.sha256", import.meta.url), `${hash}  site/static/vendor/editor.js\n`);
console.log(hash);
