// The site offline, one version at a time. practice.bundle.offline puts the list of all files of this build in place of `null`.
//
// Files with a hash in their name are kept for ever, pages only when their bytes are the ones of this build: a page of a newer version
// is handed through and never mixed in, and makes the browser fetch the newer service worker.

const BUILD = null; // {version, pages: {path: hash}, files: [path], core: [path]}
const CACHE = `practice-${BUILD.version}`;
const files = new Set(BUILD.files);
const root = new URL("./", self.location.href);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const path = pathOf(event.request);
  if (path !== null) event.respondWith(answer(event, path));
});
self.addEventListener("message", (event) => {
  if (event.data?.takeOver) self.skipWaiting();
  if (event.data?.visited) event.waitUntil(keepAll(event.data.visited));
});

/** A path of the site that this build knows, or null. */
function pathOf(request) {
  const url = new URL(request.url ?? request);
  if ((request.method ?? "GET") !== "GET" || url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return null;
  let path = decodeURIComponent(url.pathname.slice(root.pathname.length));
  if (path === "" || path.endsWith("/")) path += "index.html";
  if (files.has(path) || path in BUILD.pages) return path;
  return request.mode === "navigate" ? path : null;
}

async function install() {
  const cache = await caches.open(CACHE);
  const before = await visitedBefore();
  for (const [path, response] of before) {
    if (files.has(path)) await cache.put(new URL(path, root), response);
  }
  const pages = [...before.keys()].filter((path) => path in BUILD.pages);
  await Promise.all([...new Set([...BUILD.core, ...pages])].map((path) => keep(cache, path)));
}

/** Path to response of what earlier versions kept. */
async function visitedBefore() {
  const found = new Map();
  for (const name of await caches.keys()) {
    if (!name.startsWith("practice-") || name === CACHE) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const path = pathOf(request);
      if (path !== null) found.set(path, await cache.match(request));
    }
  }
  return found;
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith("practice-") && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

/** What a page had loaded before this worker was there. */
async function keepAll(addresses) {
  const cache = await caches.open(CACHE);
  const paths = new Set(addresses.map((address) => pathOf({ url: address })).filter((path) => path !== null));
  await Promise.allSettled([...paths].map((path) => keep(cache, path)));
}

/** Fetches a file into the cache unless it is there. Throws when the server has another version of it. */
async function keep(cache, path) {
  const address = new URL(path, root);
  if (await cache.match(address)) return;
  // A page past every cache: one that was changed twice within a second looks unchanged to a server that goes by time.
  const response = await fetch(address, { cache: files.has(path) ? "default" : "reload" });
  if (!response.ok || !(await isOurs(path, response.clone()))) throw new Error(`${path} is of another version`);
  await cache.put(address, response);
}

async function isOurs(path, response) {
  if (files.has(path)) return true;
  const digest = await crypto.subtle.digest("SHA-256", await response.arrayBuffer());
  const hex = Array.from(new Uint8Array(digest).slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex === BUILD.pages[path];
}

async function answer(event, path) {
  const { request } = event;
  const cache = await caches.open(CACHE);
  const address = new URL(path, root);
  const kept = await cache.match(address);
  if (kept) {
    if (request.mode === "navigate") lookForUpdate();
    return kept;
  }
  try {
    const response = await fetch(request.mode === "navigate" ? address : request);
    if (response.ok && (await isOurs(path, response.clone()))) event.waitUntil(cache.put(address, response.clone()));
    else lookForUpdate();
    return response; // while it is still coming in: Python is compiled meanwhile
  } catch (error) {
    if (request.mode !== "navigate") throw error;
    return (await instead(cache, path)) ?? Response.error();
  }
}

/** What is shown in the place of a page that cannot be had: that one is offline, or of a page this build does not know that there is none. */
async function instead(cache, path) {
  if (!(path in BUILD.pages)) return cache.match(new URL("404.html", root));
  const kept = await cache.match(new URL("offline.html", root));
  if (!kept) return kept;
  // It stands at the address that was asked for, wherever that is, so what it names is told from the root; an empty address stays itself.
  const text = (await kept.text()).replace(/\b(href|src|action)="(?!#|\/|"|[a-z]+:)/g, `$1="${root.pathname}`);
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

let looked = 0;
function lookForUpdate() {
  if (Date.now() - looked < 30_000) return;
  looked = Date.now();
  self.registration.update().catch(() => {}); // offline
}
