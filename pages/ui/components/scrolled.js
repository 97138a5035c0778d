// The same mark scrolls once: a page is drawn anew at every answer, and must stay where its reader is.

const marks = new Map();

export default function (component) {
  const { mark, to } = component.data;
  if (marks.get(to) === mark) return;
  marks.set(to, mark);
  if (to) document.querySelector(`.st-key-${CSS.escape(to)}`)?.scrollIntoView({ block: "center" });
  else document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
}
