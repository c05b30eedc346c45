
// Scrolls once to what a selector finds, when the page has drawn it and has come to rest.
const REST_MS = 700;
// Such a share of it in view, or of the window where it is higher than that, is enough.
const ENOUGH = 0.75;

const done = new WeakSet();

// What lies over the page at its ends is told by the padding of what scrolls.
function isInView(target) {
  const { top, bottom, height } = target.getBoundingClientRect();
  const ends = getComputedStyle(target.closest('[data-testid="stMain"]') ?? document.body);
  const first = parseFloat(ends.scrollPaddingTop) || 0;
  const last = innerHeight - (parseFloat(ends.scrollPaddingBottom) || 0);
  const seen = Math.min(bottom, last) - Math.max(top, first);
  return seen >= ENOUGH * Math.min(height, last - first);
}

export default function (component) {
  const { data, parentElement } = component;
  const box = parentElement.querySelector(".orrery-scroll");
  if (!box || !data || done.has(box)) return;
  let rest = null;
  const look = () => {
    const target = document.querySelector(data.selector);
    clearTimeout(rest);
    if (target) rest = setTimeout(() => { scroll(target); stop(); }, REST_MS);
  };
  const scroll = (target) => {
    done.add(box);
    if (isInView(target)) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  };
  const watch = new MutationObserver(look);
  const stop = () => { watch.disconnect(); clearTimeout(rest); };
  watch.observe(document.body, { childList: true, subtree: true });
  look();
  return stop;
}
