// The form by keyboard. A press does what a click on the control does, so there is one way that answers are saved.

const ANSWERED_MS = 250; // after which a click that changed nothing counts as answered
const LOOK_MS = 15;
const DRAWN_MS = 1000; // a control that has not been drawn by then beside others does not come
const LOADED_MS = 30000; // on a slow line or machine a story is there long before the first of its form's controls

/** From nothing to the first option, from each to the next, from the last to nothing. */
const cycle = (group) => {
  const options = group ? optionsOf(group) : [];
  const place = options.findIndex(isChosen);
  const next = place === options.length - 1 ? options[place] : options[place + 1];
  (next ?? options[0])?.click();
  return options.length > 0;
};

const choose = (group, place) => {
  const option = group && optionsOf(group)[place];
  if (option && !isChosen(option)) option.click();
  return Boolean(option);
};

/** Whether the focus is on something that Enter would press, other than the answer that is given. */
const isPressed = (target) => {
  const control = target.closest("button, a, summary, input, [role=radio], [role=button]");
  return Boolean(control) && !isChosen(control);
};

const isTyping = (target) =>
  target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog]");

const hasControls = () => groupsOf(document).some((group) => optionsOf(group).length > 0);

class Keyboard {
  constructor(navigator) {
    this.navigator = navigator;
    this.queue = [];
    const pressed = (event) => this.onKey(event);
    const act = (event) => {
      event.preventDefault();
      this.enqueue(event.detail);
    };
    document.addEventListener("keydown", pressed, true);
    document.addEventListener("fabula-act", act);
    const next = () => navigator.next();
    document.addEventListener("fabula-next", next);
    this.close = () => {
      document.removeEventListener("keydown", pressed, true);
      document.removeEventListener("fabula-act", act);
      document.removeEventListener("fabula-next", next);
      clearInterval(this.timer);
    };
  }

  /** One after the other: of what is done while the server still answers, Streamlit may lose some. */
  enqueue(action) {
    this.queue.push(action);
    if (!this.timer) this.next();
  }

  get busy() {
    return Boolean(this.timer);
  }

  next() {
    clearInterval(this.timer);
    this.timer = null;
    const action = this.queue.shift();
    if (!action) return;
    const since = performance.now();
    let acted = action() !== false;
    let ran = false;
    this.timer = setInterval(() => {
      const waited = performance.now() - since;
      if (!acted) {
        // An action that says false finds no control yet: the reasons for a rating come with the rating.
        acted = action() !== false;
        if (!acted && waited > (hasControls() ? DRAWN_MS : LOADED_MS)) this.next();
        return;
      }
      const running = stateOf("script") === "running" || stateOf("connection") !== "CONNECTED";
      ran ||= running;
      if (!running && (ran || waited > ANSWERED_MS)) this.next();
    }, LOOK_MS);
  }

  onKey(event) {
    if (event.altKey || event.metaKey || event.defaultPrevented || event.isComposing) return;
    if (event.key === "Enter" && event.ctrlKey) {
      event.preventDefault();
      event.stopPropagation(); // a field of words would send itself
      this.handIn();
      return;
    }
    // Also before the focus has moved into a dialog that has just opened.
    if (event.ctrlKey || isTyping(event.target) || document.querySelector("[data-testid=stDialog]")) return;
    const key = event.key.toLowerCase();
    const card = this.navigator.card();
    // While a sentence is being chosen, letters and arrows mark passages: the story's own business.
    if (card?.querySelector(".reader-chosen") && !["j", "k"].includes(key)) return;
    if (this.turn(key, event.target) || this.act(key, card)) {
      event.preventDefault();
      event.stopPropagation(); // R and C are Streamlit's own
    }
  }

  /** As `enqueue`, for an answer about a story, which counts as unsaved from the press on. */
  answer(card, action) {
    this.navigator.watch.unsaved(card);
    this.enqueue(action);
    return true;
  }

  /** From pair to pair; a focus on the answers keeps the arrow keys. */
  turn(key, target) {
    const { data, current } = this.navigator;
    if (!data.single || data.stories.length < 2) return false;
    if (key === "enter") return !isPressed(target) && this.navigator.next();
    const onward = getComputedStyle(this.navigator.root).direction === "rtl" ? -1 : 1;
    const step = { arrowright: onward, arrowleft: -onward }[key];
    return Boolean(step) && !target.closest("[role=radiogroup]") && this.navigator.go(current + step);
  }

  act(key, card) {
    const { data } = this.navigator;
    const asked = this.navigator.asked;
    const digits = this.navigator.digits();
    const step = digits[asked].indexOf(key);
    const type = data.types.indexOf(key);
    if (key === "j" || key === "k") return this.navigator.go(this.navigator.current + (key === "j" ? 1 : -1));
    const story = data.stories.findIndex(({ letter }) => letter.toLowerCase() === key);
    if (story >= 0 && key >= "a" && key <= "g") return this.navigator.go(story);
    if (key === "v") return this.press(".st-key-compare-two button");
    if (key === "?") return this.instruct();
    const offered = document.querySelector(".reader-tools[data-kind=mark]:not([hidden])");
    if (offered && type >= 0) {
      offered.querySelectorAll("button")[type].click(); // a passage is selected: the letter says what it shows
      return true;
    }
    if (!card) return false;
    this.navigator.look();
    if (digits.length > 1 && (key === "," || key === ".")) return this.navigator.ask(asked + (key === "." ? 1 : -1));
    if (step >= 0) {
      if (digits.length === 1) card.dataset.fabulaAnswered = ""; // at once: the next key may go on
      this.answer(card, () => choose(groupsOf(card)[asked], step));
      return this.navigator.ask(asked + 1); // at once: the next key is for the next question
    }
    if (type >= 0) return this.answer(card, () => cycle(groupsOf(card)[digits.length + type]));
    if (key !== "m" || !data.types.length) return false;
    card.querySelector(".reader")?.dispatchEvent(new Event("evidence"));
    return true;
  }

  /** Hand in, once what is on its way has arrived. */
  handIn() {
    document.activeElement?.closest("textarea")?.blur();
    if (document.querySelector("[data-fabula-saving]")) this.enqueue(() => {});
    this.press(`.st-key-submit-${this.navigator.data.panel} button`);
  }

  /** Open the instructions and put the focus into them, so that they scroll by keyboard. */
  instruct() {
    this.press(".st-key-instructions button");
    setTimeout(() => {
      const body = document.querySelector("[data-testid=stPopoverBody]");
      if (!body) return;
      body.tabIndex = 0;
      body.focus();
    }, DRAWN_MS / 2);
    return true;
  }

  press(selector) {
    this.enqueue(() => document.querySelector(selector)?.click()); // undefined, not false: it is there or it is not
    return true;
  }
}
