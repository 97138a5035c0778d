// A text cut into pieces, each with how many annotators marked it, or, where `ratings` is 0, whether it is marked. Text
// is set as text: nothing in it is read as HTML.

const made = (tag, content) => {
  const element = document.createElement(tag);
  element.textContent = content;
  return element;
};

const piece = ({ text, marked }, ratings) => {
  if (!marked) return [made("span", text)];
  if (!ratings) {
    const word = made("mark", text);
    word.style.setProperty("--share", 0.5);
    return [word];
  }
  const said = `marked by ${marked} of ${ratings}`;
  const mark = made("mark", text);
  mark.title = said;
  mark.style.setProperty("--share", Math.min(1, marked / Math.max(1, ratings)));
  const count = made("sup", marked);
  count.setAttribute("aria-label", said);
  return [mark, count];
};

export default function ({ data, parentElement }) {
  let story = parentElement.querySelector(".marked"); // beside it stands the style sheet, which must stay
  if (!story) {
    story = made("div", "");
    story.className = "marked";
    parentElement.append(story);
  }
  story.replaceChildren(...data.pieces.flatMap((one) => piece(one, data.ratings)));
}
