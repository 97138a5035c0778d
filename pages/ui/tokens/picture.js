// A picture that the server draws when it is asked for, saved as SVG or PNG.

const SCALE = 2; // of a PNG
const MOST = 32_000; // pixels of its longer side: beyond, browsers draw nothing

const save = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const pixels = async (svg) => {
  const image = new Image();
  const address = URL.createObjectURL(svg);
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = reject;
      image.src = address;
    });
    const scale = Math.min(SCALE, MOST / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = image.width * scale;
    canvas.height = image.height * scale;
    const drawn = canvas.getContext("2d");
    drawn.scale(scale, scale);
    drawn.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("canvas"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
};

const made = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  let root = made.get(parentElement);
  if (!root) {
    root = document.createElement("div");
    root.className = "text-picture";
    root.status = document.createElement("span");
    root.status.setAttribute("role", "status");
    for (const format of ["svg", "png"]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `${format.toUpperCase()} of the coloured text`;
      button.addEventListener("click", () => {
        root.wanted = format;
        root.status.textContent = "…";
        root.ask("wanted", format);
      });
      root.append(button);
    }
    root.append(root.status);
    parentElement.append(root);
    made.set(parentElement, root);
  }
  root.ask = setTriggerValue;
  if (data.svg && root.wanted) {
    const format = root.wanted;
    root.wanted = null;
    const svg = new Blob([data.svg], { type: "image/svg+xml" });
    const picture = format === "svg" ? Promise.resolve(svg) : pixels(svg);
    picture
      .then((blob) => {
        save(blob, `${data.file}.${format}`);
        root.status.textContent = "";
      })
      .catch(() => (root.status.textContent = "The picture could not be made; save the SVG instead."));
  }
  return () => {
    root.remove();
    made.delete(parentElement);
  };
}
