// A changed story as one text. Text is set as text: nothing in it is HTML.

const TAGS = { same: "span", gone: "del", new: "ins" };

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".edited"); // beside it stands the style sheet, which must stay
  if (!root) {
    root = document.createElement("section");
    root.className = "edited";
    parentElement.append(root);
  }
  root.setAttribute("aria-label", data.label);
  root.replaceChildren(
    ...data.pieces.map(({ text, kind, title }) => {
      const element = document.createElement(TAGS[kind]);
      element.textContent = text;
      if (title) element.title = title;
      return element;
    }),
  );
}
