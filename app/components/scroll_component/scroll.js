
// Scrolls once to what a selector finds, when the page has drawn it and has come to rest.
const REST_MS = 700;

const done = new WeakSet();

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
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    target.scrollIntoView({ block: "end", behavior: still ? "auto" : "smooth" });
  };
  const watch = new MutationObserver(look);
  const stop = () => { watch.disconnect(); clearTimeout(rest); };
  watch.observe(document.body, { childList: true, subtree: true });
  look();
  return stop;
}
