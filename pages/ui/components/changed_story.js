// A story as it was and as it was changed, marked on both sides. Text is set as text: nothing in it is HTML.

const made = (tag, name, content) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (content !== undefined) element.textContent = content;
  return element;
};

// UNION's four techniques have a colour and a line of their own; all others share one.
const kind = (techniques) => `changed-${techniques.length === 1 ? techniques[0].replace(/\W+/g, "-") : "several"}`;
const said = (techniques) => techniques.join(", then ");

const piece = ({ text, inside }, tag) => {
  if (!inside.length) return [made("span", "", text)];
  const mark = made(tag, kind(inside), text || "‸"); // a caret where nothing stands on this side
  mark.title = said(inside);
  if (!text) {
    mark.classList.add("changed-none");
    mark.setAttribute("aria-label", tag === "del" ? "words come here" : "words went here");
  }
  return tag === "ins" ? [mark, made("sup", "", said(inside))] : [mark];
};

const stretch = ({ sentence, whole, parts }, tag) => {
  const element = made("span", whole.length ? `changed-whole ${kind(whole)}` : "");
  if (sentence !== null) element.dataset.sentence = sentence;
  element.append(...parts.flatMap((one) => piece(one, tag)));
  return whole.length ? [element, made("sup", "", said(whole))] : [element];
};

const side = ({ title, stretches }, tag) => {
  const pane = made("section");
  pane.setAttribute("aria-label", title);
  const text = made("div", "changed-text");
  text.append(...stretches.flatMap((one) => stretch(one, tag)));
  pane.append(made("h2", "", title), text);
  return pane;
};

// The sentence under the pointer is outlined on both sides, wherever it has gone.
const watch = (root) => {
  const lit = ({ target }) => {
    const sentence = target.closest?.("[data-sentence]")?.dataset.sentence;
    for (const one of root.querySelectorAll("[data-sentence]")) {
      one.classList.toggle("changed-lit", one.dataset.sentence === sentence);
    }
  };
  root.addEventListener("pointerover", lit);
  root.addEventListener("pointerleave", () => lit({ target: root }));
};

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".changed"); // beside it stands the style sheet, which must stay
  if (!root) {
    root = made("div", "changed changed-sides");
    watch(root);
    parentElement.append(root);
  }
  root.replaceChildren(side(data.before, "del"), side(data.after, "ins"));
}
