// The point of the story that is open is marked in every chart that has one: Plotly marks the one that was pressed, and
// knows nothing of the next story. The mark goes when somebody presses a point.

const mark = (chart, story) => {
  const here = (point) => {
    const trace = point.closest(".trace")?.__data__?.[0]?.trace;
    return trace?.customdata?.[point.__data__?.i]?.[0] === story;
  };
  const points = [...chart.querySelectorAll(".scatterlayer path.point")];
  const found = points.filter(here);
  chart.classList.toggle("fabula-shown", found.length > 0);
  for (const point of points) point.classList.toggle("fabula-here", found.includes(point));
};

export default function ({ data }) {
  document.body.dataset.fabulaDrawer = ""; // for style.css: `body:has(...)` would slow down every page
  for (const chart of document.querySelectorAll(".js-plotly-plot")) {
    const known = chart.fabulaStory !== undefined;
    chart.fabulaStory = data.story;
    mark(chart, data.story);
    if (known || !chart.on) continue;
    chart.on("plotly_afterplot", () => mark(chart, chart.fabulaStory));
    for (const pressed of ["plotly_click", "plotly_selected", "plotly_deselect"]) {
      chart.on(pressed, () => mark(chart, (chart.fabulaStory = null)));
    }
  }
  return () => delete document.body.dataset.fabulaDrawer;
}
