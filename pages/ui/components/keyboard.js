// The form by keyboard. A press does what a click on the control does, so there is one way that answers are saved.

const groupsOf = (card) => [...card.querySelectorAll(".stButtonGroup, .stCheckbox")];
const optionsOf = (group) => [...group.querySelectorAll("[role=radio], button[aria-pressed], input[type=checkbox]")];
const isChosen = (option) =>
  option.checked || option.getAttribute("aria-checked") === "true" || option.getAttribute("aria-pressed") === "true";

/** From nothing to the first option, from each to the next, from the last to nothing. */
const cycle = (group) => {
  const options = optionsOf(group);
  const place = options.findIndex(isChosen);
  const next = place === options.length - 1 ? options[place] : options[place + 1];
  (next ?? options[0])?.click();
};

const isTyping = (target) =>
  target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog]");

class Keyboard {
  constructor(navigator) {
    this.navigator = navigator;
    const pressed = (event) => this.onKey(event);
    document.addEventListener("keydown", pressed, true);
    this.close = () => document.removeEventListener("keydown", pressed, true);
  }

  onKey(event) {
    if (event.altKey || event.metaKey || event.defaultPrevented || event.isComposing) return;
    const { data } = this.navigator;
    if (event.key === "Enter" && event.ctrlKey) {
      if (this.press(`.st-key-submit-${data.panel} button`)) event.preventDefault();
      return;
    }
    if (event.ctrlKey || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    const card = this.navigator.card();
    // While a sentence is being chosen, letters and arrows mark passages: the story's own business.
    if (card?.querySelector(".reader-chosen") && !["j", "k"].includes(key)) return;
    if (this.act(key, card)) {
      event.preventDefault();
      event.stopPropagation(); // R and C are Streamlit's own
    }
  }

  act(key, card) {
    const { data } = this.navigator;
    const step = data.digits.indexOf(key);
    const type = data.types.indexOf(key);
    if (key === "j" || key === "k") return this.navigator.go(this.navigator.current + (key === "j" ? 1 : -1));
    if (key === "v") return this.press(".st-key-compare button");
    if (key === "?") return this.press(".st-key-instructions button");
    if (!card) return false;
    this.navigator.look();
    const groups = groupsOf(card);
    if (step >= 0 && groups[0]) return this.choose(optionsOf(groups[0])[step]);
    if (type >= 0 && groups[type + 1]) {
      cycle(groups[type + 1]);
      return true;
    }
    if (key !== "e" || !data.types.length) return false;
    card.querySelector(".reader")?.dispatchEvent(new Event("evidence"));
    return true;
  }

  choose(option) {
    if (option && !isChosen(option)) option.click();
    return Boolean(option);
  }

  press(selector) {
    const button = document.querySelector(selector);
    button?.click();
    return Boolean(button);
  }
}
