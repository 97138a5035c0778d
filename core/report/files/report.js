// Draws the figures whose data stand in the page; nothing is fetched.
const drawn = [];
const looks = JSON.parse(document.getElementById("looks").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const look = () => looks[dark.matches ? "dark" : "light"];
for (const node of document.querySelectorAll("script[data-figure]")) {
  const { data, layout } = JSON.parse(node.textContent);
  const target = document.getElementById(node.dataset.figure);
  const file = { format: "svg", filename: node.dataset.file };
  const picture = {
    name: "Save as SVG, black on white",
    icon: Plotly.Icons.camera,
    click: (plot) =>
      Plotly.downloadImage(
        { data: plot.data, layout: { ...plot.layout, ...looks.light }, config: {} },
        { ...file, width: plot.clientWidth, height: plot.clientHeight },
      ),
  };
  const config = {
    responsive: true,
    displaylogo: false,
    // Where nothing hovers, its buttons would always lie over the title.
    displayModeBar: matchMedia("(hover: hover)").matches ? "hover" : false,
    modeBarButtonsToRemove: ["toImage"],
    modeBarButtonsToAdd: [picture],
  };
  Plotly.newPlot(target, data, { ...layout, ...look() }, config);
  drawn.push(target);
}
dark.addEventListener("change", () => drawn.forEach((one) => Plotly.relayout(one, look())));
const PAPER = 660; // pixels between the margins of A4 and of US letter
addEventListener("beforeprint", () =>
  drawn.forEach((one) => Plotly.relayout(one, { ...looks.light, autosize: false, width: PAPER })),
);
addEventListener("afterprint", () =>
  drawn.forEach((one) => Plotly.relayout(one, { ...look(), autosize: true, width: null })),
);
