// The same mark scrolls once: a page is drawn anew at every answer, and must stay where its reader is.

const marks = new Map();

export default function (component) {
  const { mark, to } = component.data;
  if (marks.get(to) === mark) return;
  marks.set(to, mark);
  if (to) show(document.querySelector(`.st-key-${CSS.escape(to)}`));
  else document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
}

// In the middle where it is seen whole, else from its top, below the menu.
function show(part) {
  if (!part) return;
  part.style.scrollMarginTop = "4.5rem";
  part.scrollIntoView({ block: part.offsetHeight < innerHeight / 2 ? "center" : "start" });
}
