// Copies a text; browsers that give a page no clipboard copy what is selected in a box.
export default function (component) {
  const { data, parentElement } = component;
  const box = parentElement.querySelector(".orrery-copy");
  if (!box || !data) return;
  const button = element("button", "");
  const told = element("span", "told");
  button.type = "button";
  button.textContent = data.label;
  told.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    const isCopied = (await byClipboard(data.text)) || bySelection(box, data.text);
    told.textContent = isCopied ? data.done : data.failed;
  });
  box.replaceChildren(button, told);
}

async function byClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function bySelection(box, text) {
  const area = element("textarea", "");
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  area.style.position = "fixed";
  area.style.opacity = "0";
  box.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
