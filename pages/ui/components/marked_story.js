// A story cut into pieces, each with how many annotators marked it. Text is set as text: nothing in it is read as HTML.

const made = (tag, content) => {
  const element = document.createElement(tag);
  element.textContent = content;
  return element;
};

export default function ({ data, parentElement }) {
  const story = made("div", "");
  story.className = "marked";
  for (const { text, marked } of data.pieces) {
    if (!marked) {
      story.append(made("span", text));
      continue;
    }
    const mark = made("mark", text);
    const said = `marked by ${marked} of ${data.ratings}`;
    mark.title = said;
    mark.style.setProperty("--share", Math.min(1, marked / Math.max(1, data.ratings)));
    const count = made("sup", String(marked));
    count.setAttribute("aria-label", said);
    story.append(mark, count);
  }
  parentElement.replaceChildren(story);
}
