// What all components have: what is kept for an element, elements, the lines of a tip, small buttons, files to keep.
function element(tag, className) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  return made;
}

// What an element has, made when it is first seen.
function keptFor(box, all, create) {
  if (!all.has(box)) all.set(box, create(box));
  return all.get(box);
}

function fillTip(tip, lines) {
  tip.replaceChildren(
    ...lines.map((line, number) => {
      const row = element("div", number ? "" : "first");
      row.textContent = line;
      return row;
    })
  );
  tip.hidden = false;
}

function tool(sign, title, act) {
  const made = element("button", sign.length > 1 ? "tool wide" : "tool");
  made.type = "button";
  made.textContent = sign;
  made.title = title;
  made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}

// The source of a drawing, without the control characters that a label may have and XML does not allow.
function sourceOf(drawing) {
  return new XMLSerializer().serializeToString(drawing).replace(/[^\P{Cc}\t\n\r]/gu, "");
}

function keep(blob, name) {
  const link = element("a", "");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
