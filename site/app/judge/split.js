// The bar between the exercise's text and the editor: dragged, or moved with the arrow keys; its place is remembered.

import { element } from "./dom.js";

const [LEAST, MOST, STEP] = [25, 75, 2]; // per cent of the width that the text takes

/** Adds the bar to a two-column page. */
export function addSplit(main) {
  if (!main) return;
  const bar = element("div", { class: "split-bar", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-label": "Width of the text", "aria-valuemin": LEAST, "aria-valuemax": MOST });
  const set = (share) => {
    const kept = Math.min(MOST, Math.max(LEAST, share));
    main.style.setProperty("--text-share", `${kept}fr`);
    main.style.setProperty("--work-share", `${100 - kept}fr`);
    bar.setAttribute("aria-valuenow", Math.round(kept));
    return kept;
  };
  let share = set(remembered());
  const move = (wanted) => {
    share = set(wanted);
    remember(share);
  };
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (!step) return;
    event.preventDefault();
    move(share + step);
  });
  bar.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    const drag = ({ clientX }) => {
      const box = main.getBoundingClientRect();
      move(((clientX - box.left) / box.width) * 100);
    };
    bar.addEventListener("pointermove", drag);
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", drag), { once: true });
  });
  bar.addEventListener("dblclick", () => move(50));
  main.classList.add("has-split");
  main.insertBefore(bar, main.children[1]);
}

function remembered() {
  try {
    return Number(localStorage.getItem("practice.split")) || 46;
  } catch {
    return 46;
  }
}

function remember(share) {
  try {
    localStorage.setItem("practice.split", String(Math.round(share)));
  } catch {
    // Storage is off: the next page starts in the middle.
  }
}
