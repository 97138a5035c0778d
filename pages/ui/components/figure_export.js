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
      await Plotly.downloadImage(
        { data: chart.data, layout, config: {} },
        { format, filename: data.file, width: data.widths[width.value], height: chart.clientHeight, scale: format === "png" ? 3 : 1 },
      );
      status.textContent = "";
    } catch {
      status.textContent = "The picture could not be made; load the page again and try once more.";
    }
  };
  const buttons = ["svg", "png"].map((format) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `${format.toUpperCase()} picture`;
    button.addEventListener("click", () => save(format));
    return button;
  });
  root.append(width, ...buttons, status);
  parentElement.append(root);
  return () => root.remove();
}
