// A story in parts, each shaded by what it adds, or with another word above it. Text is set as text: nothing is HTML.

const made = (tag, name, content) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (content !== undefined) element.textContent = content;
  return element;
};

const part = ({ text, shade, note, title, edited, faint, instead }) => {
  if (instead !== null) {
    const piece = made("ruby", "", text);
    piece.style.setProperty("--share", shade);
    piece.title = title;
    piece.append(made("rt", "", instead));
    return [piece];
  }
  if (!title) return [made("span", "", text)];
  const element = made("span", `explained-${shade < 0 ? "lowers" : "raises"}`, text);
  element.style.setProperty("--share", Math.abs(shade));
  element.title = title;
  element.classList.toggle("explained-edited", edited);
  element.classList.toggle("explained-faint", faint);
  return note ? [element, made("sup", "", note)] : [element];
};

export default function ({ data, parentElement }) {
  let story = parentElement.querySelector(".explained"); // beside it stands the style sheet, which must stay
  if (!story) {
    story = made("section", "explained");
    parentElement.append(story);
  }
  story.setAttribute("aria-label", data.label);
  story.replaceChildren(...data.parts.flatMap(part));
}
