// Keeps bytes for the picture that asks for them by name; the last few, for a page may be drawn twice.
const NAME = 32;
const KEPT = 8;

export default function (component) {
  const bytes = component.data;
  if (!(bytes instanceof Uint8Array) || bytes.length < NAME) return;
  const name = String.fromCharCode(...bytes.subarray(0, NAME));
  const kept = (window.orreryBytes ||= new Map());
  if (kept.has(name)) return;
  // A copy begins at an address that 16 bits fit to.
  kept.set(name, bytes.slice(NAME));
  for (const old of [...kept.keys()].slice(0, -KEPT)) kept.delete(old);
  window.dispatchEvent(new Event("orrery-bytes"));
}
