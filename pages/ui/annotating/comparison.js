// Two stories of a panel beside each other; which two is the browser's business alone.

const side = ({ stories, choose }, chosen, onChoose) => {
  const pane = document.createElement("section");
  pane.className = "comparison-pane";
  const letters = document.createElement("div");
  letters.className = "comparison-letters";
  letters.setAttribute("role", "group");
  letters.setAttribute("aria-label", choose);
  stories.forEach(({ letter }, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = letter;
    button.setAttribute("aria-pressed", String(place === chosen));
    button.addEventListener("click", () => onChoose(place));
    letters.append(button);
  });
  const note = document.createElement("div");
  note.className = "comparison-note";
  note.textContent = `${stories[chosen].name}: ${stories[chosen].note}`;
  const text = document.createElement("div");
  text.className = "comparison-text";
  text.dir = "auto"; // a story has its own direction
  text.textContent = stories[chosen].text;
  pane.append(letters, note, text);
  return pane;
};

export default function (component) {
  const { data, parentElement } = component;
  const root = document.createElement("div");
  root.className = "comparison";
  // The story that one is at, beside the next.
  const here = document.querySelector("[data-fabula-current] .reader-text")?.getAttribute("aria-label");
  const first = Math.max(0, data.stories.findIndex(({ name }) => here === name));
  const chosen = [first, (first + 1) % data.stories.length];
  const show = () => {
    root.replaceChildren(
      ...chosen.map((place, number) =>
        side(data, place, (next) => {
          chosen[number] = next;
          show();
          root.children[number].querySelector("[aria-pressed=true]").focus();
        }),
      ),
    );
  };
  show();
  parentElement.append(root); // beside the style sheet that stands there
  return () => root.remove();
}
