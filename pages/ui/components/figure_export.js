// A chart of the page as a picture: drawn anew for paper, so that the file is the same in the dark and on a phone.

let loading;
let chosen; // the width of the last picture: saving one may close the box
const library = () => {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = "/plotly.js";
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      loading = undefined; // the next press tries again
      script.remove();
      reject(new Error("plotly.js"));
    };
    document.head.append(script);
  });
  return loading;
};

// The browser itself makes the PDF: letters and lines stay what they are, and no other program is needed. Its dialog asks
// where to; a frame without an address holds the picture on a page of its size.
const print = (picture, file) => {
  const frame = document.createElement("iframe");
  frame.title = file;
  frame.style.cssText = "position: fixed; width: 0; height: 0; border: 0";
  document.body.append(frame);
  const paper = frame.contentDocument;
  const svg = paper.importNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement, true);
  const [width, height] = ["width", "height"].map((side) => `${svg.getAttribute(side)}px`);
  const style = paper.createElement("style");
  style.textContent = `@page { size: ${width} ${height}; margin: 0 } body { margin: 0; height: ${height}; overflow: hidden } svg { display: block }`;
  paper.head.append(style);
  paper.body.append(svg);
  const before = document.title;
  document.title = paper.title = file; // what browsers call the file
  frame.contentWindow.addEventListener("afterprint", () => {
    document.title = before;
    frame.remove();
  });
  frame.contentWindow.print();
};

export default function (component) {
  const { data, parentElement } = component;
  const root = document.createElement("div");
  root.className = "figure-export";
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  const width = document.createElement("select");
  width.setAttribute("aria-label", "Width of the picture");
  for (const name of Object.keys(data.widths)) width.add(new Option(`as wide as a ${name}`, name));
  width.value = chosen ?? width.value;
  width.addEventListener("change", () => (chosen = width.value));
  const save = async (format) => {
    status.textContent = "…";
    try {
      const chart = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
      const Plotly = await library();
      const layout = { ...chart.layout, template: data.template, autosize: false, ...data.colours };
      const drawn = { data: chart.data, layout, config: {} };
      const size = { width: data.widths[width.value], height: chart.clientHeight };
      if (format === "pdf") {
        const picture = await Plotly.toImage(drawn, { format: "svg", ...size });
        print(decodeURIComponent(picture.slice(picture.indexOf(",") + 1)), data.file);
      } else {
        await Plotly.downloadImage(drawn, { format, filename: data.file, ...size, scale: format === "png" ? 3 : 1 });
      }
      status.textContent = format === "pdf" ? "Choose “Save as PDF” as the printer." : "";
    } catch {
      status.textContent = "The picture could not be made; load the page again and try once more.";
    }
  };
  const buttons = ["pdf", "svg", "png"].map((format) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = format === "pdf" ? "PDF, by printing" : `${format.toUpperCase()} picture`;
    button.addEventListener("click", () => save(format));
    return button;
  });
  root.append(width, ...buttons, status);
  parentElement.append(root);
  return () => root.remove();
}
