// The pages that can be read without a connection, by what the service worker has kept of them.
"use strict";
(async () => {
  const root = new URL("../../", document.currentScript.src); // this file lies in static/<hash>/
  const isPage = ({ pathname }) => pathname.endsWith(".html") && !/\/(404|offline)\.html$/.test(pathname);

  /** [{address, title}] in the order of their addresses, which groups chapters and exercises. */
  async function pages() {
    const found = new Map();
    for (const name of await caches.keys()) {
      if (!name.startsWith("practice-")) continue;
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) {
        const address = new URL(url);
        if (!isPage(address) || !address.href.startsWith(root.href) || found.has(address.pathname)) continue;
        const text = await (await cache.match(url)).text();
        found.set(address.pathname, new DOMParser().parseFromString(text, "text/html").title.split(" · ")[0]);
      }
    }
    return [...found].sort(([one], [other]) => one.localeCompare(other));
  }

  addEventListener("online", () => location.reload());
  const list = document.querySelector("#kept ul");
  for (const [address, title] of await pages()) {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("a"), { href: address, textContent: title }));
    list.append(item);
  }
  document.getElementById("kept").hidden = !list.children.length;
})();
