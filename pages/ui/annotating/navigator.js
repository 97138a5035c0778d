// The bar of a panel: a letter a story, how many are rated, what the keys do, and what is wrong with the connection.

const FIRST_LEFT = -1; // the first question that is not answered

/** Where one is in a panel and in a story's questions, kept while the bar is drawn anew. */
let place = { panel: "", current: 0, asked: FIRST_LEFT };

class Navigator {
  constructor(parent) {
    this.root = document.createElement("div");
    this.root.className = "navigator";
    this.letters = document.createElement("div");
    this.letters.className = "navigator-letters";
    this.legend = document.createElement("div");
    this.legend.className = "navigator-legend";
    this.alert = document.createElement("div");
    this.alert.className = "navigator-alert";
    this.alert.setAttribute("role", "alert");
    this.root.append(this.letters, this.legend, this.alert);
    parent.append(this.root); // beside the style sheet that stands there
  }

  get current() {
    return place.current;
  }

  /** The criterion that a digit answers. */
  get asked() {
    const asked = place.asked === FIRST_LEFT ? this.rated(this.current).indexOf(false) : place.asked;
    return Math.max(0, Math.min(asked, this.digits().length - 1));
  }

  /** Of each question about a story, the keys of its answers. */
  digits(number = this.current) {
    return this.data.stories[number].digits;
  }

  /** Whether each criterion of a story is rated. */
  rated(number) {
    const card = this.cardOf(number);
    const groups = card ? groupsOf(card).slice(0, this.digits(number).length) : [];
    return groups.map((group) => optionsOf(group).some(isChosen));
  }

  start(data) {
    this.data = data;
    this.keyboard = new Keyboard(this);
    this.watch = new Watch(this);
    this.answers = new MutationObserver(() => this.paint());
    this.answers.observe(document.querySelector("[data-testid=stMain]"), {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["aria-checked", "aria-pressed"],
    });
  }

  show(data) {
    if (!this.data) this.start(data);
    this.data = data;
    if (place.panel !== data.panel) place = { panel: data.panel, current: 0, asked: FIRST_LEFT };
    this.root.dataset.panel = data.panel;
    this.colour();
    const wanted = JSON.stringify(data);
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.buttons = data.stories.map(({ letter }, number) => this.button(letter, number));
    this.count = document.createElement("span");
    this.count.className = "navigator-count";
    this.count.setAttribute("role", "status");
    // One story needs no way about, and one question no count.
    const several = data.stories.length > 1;
    this.letters.replaceChildren(...(several ? this.buttons : []), ...(several || data.stories[0].digits.length > 1 ? [this.count] : []));
    this.legend.replaceChildren("Keys: ", ...data.legend.map((row) => this.explained(row)));
    this.paint();
  }

  /** The theme's colours for what lies outside of the component, where its variables do not reach, and the bar's place:
   * on a phone Streamlit's header covers what is behind it. */
  colour() {
    const { style } = document.documentElement;
    const header = document.querySelector("[data-testid=stHeader]");
    const covers = header && !/, 0\)$|^transparent$/.test(getComputedStyle(header).backgroundColor);
    style.setProperty("--fabula-top", covers ? `${header.offsetHeight}px` : "0px");
    style.setProperty("--fabula-background", getComputedStyle(app()).backgroundColor);
    style.setProperty("--fabula-accent", getComputedStyle(this.root).getPropertyValue("--st-primary-color"));
  }

  button(letter, number) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = letter;
    button.addEventListener("click", () => this.go(number));
    return button;
  }

  explained([key, meaning]) {
    const pair = document.createElement("span");
    const sign = document.createElement("kbd");
    sign.textContent = key;
    pair.append(sign, ` ${meaning}`);
    return pair;
  }

  cardOf(number) {
    const story = this.data.stories[number];
    return story ? document.querySelector(`.st-key-story-${story.token}`) : null;
  }

  card() {
    return this.cardOf(this.current);
  }

  paint() {
    let asked = 0;
    let rated = 0;
    let answers = 0;
    this.data.stories.forEach(({ letter }, number) => {
      const given = this.rated(number).filter(Boolean).length;
      const questions = this.digits(number).length;
      asked += questions;
      const done = given === questions;
      rated += done;
      answers += given;
      const button = this.buttons[number];
      const some = given && !done ? `${given} of ${questions} answered` : "not rated yet";
      const label = `${this.data.what} ${letter}, ${done ? "rated" : some}`;
      if (button.getAttribute("aria-label") === label) return;
      button.setAttribute("aria-label", label);
      button.classList.toggle("navigator-done", done);
    });
    const { length } = this.data.stories;
    const words = asked > length ? `${answers} of ${asked} answered` : `${rated} of ${length} rated`;
    this.point();
    if (this.count.textContent !== words) this.count.textContent = words;
  }

  /** Make a criterion of the story at hand the one that digits answer. */
  ask(number) {
    place.asked = Math.max(0, Math.min(number, this.digits().length - 1));
    this.point()?.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Show which criterion that is, where there are several. */
  point() {
    if (this.digits().length < 2) return null;
    const card = this.card();
    const group = card && groupsOf(card)[this.asked];
    document.querySelectorAll("[data-fabula-asked]").forEach((other) => other !== group && delete other.dataset.fabulaAsked);
    if (group) group.dataset.fabulaAsked = "";
    return group;
  }

  /** Make a story the one that keys speak of, and show that it is. */
  look() {
    document.querySelectorAll("[data-fabula-current]").forEach((card) => delete card.dataset.fabulaCurrent);
    if (this.data.stories.length < 2) return;
    const card = this.card();
    if (card) card.dataset.fabulaCurrent = "";
    this.buttons.forEach((button, number) => button.classList.toggle("navigator-here", number === this.current));
  }

  go(next) {
    if (next < 0 || next >= this.data.stories.length) return true;
    place.current = next;
    place.asked = FIRST_LEFT;
    this.look();
    this.point();
    const card = this.card();
    const bar = document.querySelector(".st-key-panel-bar");
    if (bar) document.documentElement.style.setProperty("--fabula-bar", `${bar.offsetHeight}px`); // a heading stops below it
    card?.scrollIntoView({ block: "start" }); // at once: a smooth one ends where the page is drawn anew
    card?.querySelector(".reader-text")?.focus({ preventScroll: true });
    return true;
  }

  close() {
    this.keyboard.close();
    this.watch.close();
    this.answers.disconnect();
    this.root.remove();
  }
}

const navigators = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  if (!navigators.has(parentElement)) navigators.set(parentElement, new Navigator(parentElement));
  const navigator = navigators.get(parentElement);
  navigator.show(data);
  return () => {
    navigator.close();
    navigators.delete(parentElement);
  };
}
