// Registers the service worker of the built site, hands it what this page had loaded before, and offers a newer version when there is one.

const root = new URL("../../../", import.meta.url); // this file lies in static/<hash>/app/

async function register() {
  const registration = await navigator.serviceWorker.register(new URL("sw.js", root));
  registration.addEventListener("updatefound", () => watch(registration.installing));
  watch(registration.installing); // found before this page could listen
  if (registration.waiting) offer(registration.waiting);
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ visited: [location.href.split("#")[0]] });
  // An entry comes when its file is whole, so what is under way at this moment is kept later.
  const told = new PerformanceObserver((list) => active.postMessage({ visited: list.getEntries().map((entry) => entry.name) }));
  told.observe({ type: "resource", buffered: true });
}

function watch(worker) {
  const isUpdate = Boolean(navigator.serviceWorker.controller);
  worker?.addEventListener("statechange", () => worker.state === "installed" && isUpdate && offer(worker));
}

/** A line at the foot of the page; nothing changes under a reader who does not ask for it. */
function offer(worker) {
  if (document.querySelector(".new-version")) return;
  const line = document.createElement("p");
  line.className = "new-version";
  line.setAttribute("role", "status");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Reload";
  button.addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage({ takeOver: true });
  });
  line.append("A newer version of this site is here. ", button);
  document.body.append(line);
}

// Absent on plain HTTP, and where the site is shown without its service worker (`judge.py serve`).
if ("serviceWorker" in navigator) register().catch(() => {});
