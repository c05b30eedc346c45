// What is wrong with how a page looks, as far as its elements tell: a list of sentences.
// Allowed are selectors of what may scroll.
(allowed) => {
  // What cannot be used is pale, icons are no letters, a slider's figure stands beside its knob, and
  // letters of a drawing stand on fills that are no grounds.
  const quiet = ":disabled, [data-testid=stElementContainer]:has(:disabled), [data-testid=stIconMaterial], [data-testid=stSliderThumbValue], style, script, .said, svg";
  // Of these nothing is pressed: they lie outside of the page, or are looked at by other tests.
  const apart = "[data-testid=stSidebar], [data-testid=stHeader], .box, [inert], [aria-label=Dismiss]";
  const pressed = "button, a[href], [role=button], [role=radio]";
  const faults = [];
  // Of a page without the app, all of it.
  const main = document.querySelector("[data-testid=stMain]") ?? document.documentElement;
  const all = [];
  const gather = (root) => {
    for (const node of root.querySelectorAll("*")) {
      all.push(node);
      if (node.shadowRoot) gather(node.shadowRoot);
    }
  };
  gather(document.body);

  const remembered = (find) => {
    const known = new Map();
    return (node) => {
      if (!known.has(node)) known.set(node, find(node));
      return known.get(node);
    };
  };
  const above = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const lies = (selectors) => {
    const isIn = remembered((node) => node !== null && (node.matches(selectors) || isIn(above(node))));
    return isIn;
  };
  const [mayScroll, isQuiet, isApart] = [allowed, quiet, apart].map(lies);
  const style = remembered((node) => getComputedStyle(node));
  const visible = remembered((node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && node.getBoundingClientRect().width > 2);
  const place = remembered((node) => node && ([...node.classList].find((each) => each.startsWith("st-key-")) ?? place(above(node))));
  const name = (node) => `${node.tagName.toLowerCase()} in ${place(node) ?? "the page"}: “${node.textContent.trim().slice(0, 40)}”`;

  // Neither the page nor anything in it is wider than its room, and only the page scrolls.
  if (document.documentElement.scrollWidth > innerWidth || main.scrollWidth > main.clientWidth)
    faults.push(`the page is ${main.scrollWidth} px wide`);
  for (const node of all) {
    const scrolls = (way, size, room) => /auto|scroll/.test(style(node)[way]) && size > room + 1 && room > 0;
    const down = scrolls("overflowY", node.scrollHeight, node.clientHeight);
    const along = scrolls("overflowX", node.scrollWidth, node.clientWidth);
    if ((down || along) && node !== main && visible(node) && !mayScroll(node)) faults.push(`scrolls within the page: ${name(node)}`);
  }
  if (document.querySelector("[data-testid=stException]")) faults.push("an exception is shown");

  // Labels of controls that stand side by side are level.
  const labels = all.filter((node) => node.matches("[data-testid=stWidgetLabel]") && node.textContent.trim() && visible(node));
  const row = (node) => node.closest("[data-testid=stHorizontalBlock]");
  for (const [number, one] of labels.entries()) {
    for (const other of labels.slice(number + 1)) {
      const apart = Math.abs(one.getBoundingClientRect().top - other.getBoundingClientRect().top);
      if (row(one) && row(one) === row(other) && apart > 1 && apart < 20) faults.push(`not level: ${name(one)}, ${name(other)}`);
    }
  }

  // Every button can be pressed: it is within the window, and nothing lies on it.
  for (const node of all) {
    if (!node.matches(pressed) || !visible(node) || isApart(node)) continue;
    node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    // Of a link in several lines the first.
    const { left, right, top, bottom } = node.getClientRects()[0];
    if (left < -1 || right > innerWidth + 1) faults.push(`beyond the window: ${name(node)}`);
    let [root, seen] = [document, null];
    while (root) {
      seen = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      root = seen?.shadowRoot;
    }
    const isHit = (each) => each !== null && (each === node || isHit(above(each)));
    if (!isHit(seen)) faults.push(`covered: ${name(node)}`);
  }
  main.scrollTo(0, 0);

  // Letters stand out from what is behind them (WCAG 2.1, AA).
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = remembered((colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  });
  const over = ([r, g, b, a], ground, opacity) => [r, g, b].map((part, n) => part * a * opacity + ground[n] * (1 - a * opacity));
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const opacity = remembered((node) => (node === null ? 1 : style(node).opacity * opacity(above(node))));
  const ground = remembered((node) => (node === null ? [255, 255, 255] : over(rgba(style(node).backgroundColor), ground(above(node)), opacity(node))));
  for (const node of all) {
    const says = [...node.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
    if (!says || !visible(node) || isQuiet(node)) continue;
    const behind = ground(node);
    const [dark, bright] = [light(over(rgba(style(node).color), behind, opacity(node))), light(behind)].sort((a, b) => a - b);
    const contrast = (bright + 0.05) / (dark + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${name(node)}`);
  }
  return [...new Set(faults)];
}
