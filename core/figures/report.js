// Draws the figures whose data stand in the page; nothing is fetched.
const drawn = [];
const paper = JSON.parse(document.getElementById("paper").textContent);
for (const node of document.querySelectorAll("script[data-figure]")) {
  const { data, layout } = JSON.parse(node.textContent);
  const target = document.getElementById(node.dataset.figure);
  const config = {
    responsive: true,
    displaylogo: false,
    toImageButtonOptions: { format: "svg", filename: node.dataset.file },
  };
  Plotly.newPlot(target, data, { ...layout, ...paper }, config);
  drawn.push(target);
}
const PAPER = 660; // pixels between the margins of A4 and of US letter
addEventListener("beforeprint", () => drawn.forEach((one) => Plotly.relayout(one, { autosize: false, width: PAPER })));
addEventListener("afterprint", () => drawn.forEach((one) => Plotly.relayout(one, { autosize: true, width: null })));
