// The controls of a story's form, as Streamlit draws them: a group a criterion first, then a group an error type.

const app = () => document.querySelector("[data-testid=stApp]");
const stateOf = (name) => app()?.getAttribute(`data-test-${name}-state`);
const groupsOf = (card) => [...card.querySelectorAll(".stButtonGroup, .stCheckbox")];
const optionsOf = (group) => [...group.querySelectorAll("[role=radio], button[aria-pressed], input[type=checkbox]")];
const isChosen = (option) =>
  option.checked || option.getAttribute("aria-checked") === "true" || option.getAttribute("aria-pressed") === "true";

/** Do something that the server hears of, after whatever was done before has been answered (see the keyboard). */
const inTurn = (action) => {
  const event = new CustomEvent("fabula-act", { detail: action, cancelable: true });
  if (document.dispatchEvent(event)) action(); // nobody keeps the order on this page
};

/** A text with values put in where it has their names in braces. */
const worded = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
/** Parts as an enumeration, by the text that puts two together. */
const listed = (text, parts) => parts.reduce((before, after) => worded(text, { before, after }));
