// Draws an SVG on a canvas and saves that, twice as fine as it is, or as fine as a canvas can be.
const FINEST = 2;
const LONGEST_SIDE = 16000;
const LARGEST_AREA = 200e6;

const done = new WeakSet();

export default function (component) {
  const { data, parentElement } = component;
  const box = parentElement.querySelector(".orrery-png");
  if (!box || !data || done.has(box)) return;
  done.add(box);
  const source = URL.createObjectURL(new Blob([data.svg], { type: "image/svg+xml" }));
  const picture = new Image();
  const fail = () => {
    box.textContent = data.failed;
  };
  picture.onload = () => {
    const sheet = document.createElement("canvas");
    const scale = fineness(picture.naturalWidth, picture.naturalHeight);
    sheet.width = Math.floor(picture.naturalWidth * scale);
    sheet.height = Math.floor(picture.naturalHeight * scale);
    sheet.getContext("2d").drawImage(picture, 0, 0, sheet.width, sheet.height);
    URL.revokeObjectURL(source);
    sheet.toBlob((blob) => (blob ? keep(blob, data.name + ".png") : fail()), "image/png");
  };
  picture.onerror = fail;
  picture.src = source;
}

// Pixels of the canvas to a pixel of the drawing.
function fineness(wide, tall) {
  return Math.min(FINEST, LONGEST_SIDE / Math.max(wide, tall), Math.sqrt(LARGEST_AREA / (wide * tall)));
}
