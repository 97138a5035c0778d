// The stories of a panel of pairs: all are here, and the bar says which pair is shown (see the navigator).

const made = (tag, className, content = "") => {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
};

/** Text of the study, in its own direction; or that there is none. */
const written = (className, text, empty) => {
  const element = made("div", className, text.trim() ? text : empty);
  element.dir = "auto";
  return element;
};

const storyOf = ({ name, text }, empty) => {
  const story = made("div", "pair-story");
  const body = written("reader-text", text, empty);
  body.setAttribute("role", "group");
  body.setAttribute("aria-label", name);
  body.tabIndex = 0;
  story.append(made("div", "pair-name", name), body);
  return story;
};

const pairOf = ({ token, heading, prompt, stories }, { opening, empty }) => {
  const pair = made("section", "pair");
  pair.dataset.token = token;
  if (heading) {
    pair.setAttribute("aria-label", heading);
    pair.append(made("h2", "pair-heading", heading));
  }
  if (opening) pair.append(made("p", "pair-caption", opening), written("pair-opening", prompt, empty));
  const both = made("div", "pair-stories");
  both.append(...stories.map((story) => storyOf(story, empty)));
  pair.append(both);
  return pair;
};

const shown = new WeakMap();

export default function ({ data, parentElement }) {
  const before = shown.get(parentElement);
  const wanted = JSON.stringify(data);
  if (before?.wanted !== wanted) {
    before?.root.remove();
    const root = made("div", "pair-reader");
    root.append(...data.pairs.map((pair) => pairOf(pair, data)));
    parentElement.append(root); // beside the style sheet that stands there
    shown.set(parentElement, { root, wanted });
  }
  return () => {
    shown.get(parentElement)?.root.remove();
    shown.delete(parentElement);
  };
}
