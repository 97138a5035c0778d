// The bar of a panel: a letter a story, or a number a pair, how many are rated, what the keys do, and what is wrong with the connection.

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
    if (place.panel !== data.panel) place = { panel: data.panel, current: data.start, asked: FIRST_LEFT };
    this.root.dataset.panel = data.panel;
    this.colour();
    const { start, ...drawn } = data;
    const wanted = JSON.stringify(drawn);
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.buttons = data.stories.map(({ letter }, number) => this.button(letter, number));
    this.count = document.createElement("span");
    this.count.className = "navigator-count";
    this.count.setAttribute("role", "status");
    // One story needs no way about, and one question no count.
    const several = data.stories.length > 1;
    this.letters.replaceChildren(...(several ? this.buttons : []), ...(several || data.stories[0].digits.length > 1 ? [this.count] : []));
    this.legend.replaceChildren(`${data.words.keys} `, ...data.legend.map((row) => this.explained(row)));
    this.paint();
  }

  /** The theme's colours for what lies outside of the component, where its variables do not reach, and the bar's place:
   * on a phone Streamlit's header covers what is behind it. */
  colour() {
    const { style } = document.documentElement;
    const header = document.querySelector("[data-testid=stHeader]");
    const covers = header && !/, 0\)$|^transparent$/.test(getComputedStyle(header).backgroundColor);
    style.setProperty("--fabula-top", covers ? `${header.offsetHeight}px` : "0px");
    const mine = getComputedStyle(this.root);
    style.setProperty("--fabula-background", mine.getPropertyValue("--st-background-color"));
    style.setProperty("--fabula-saving", JSON.stringify(this.data.words.saving));
    style.setProperty("--fabula-accent", mine.getPropertyValue("--st-primary-color"));
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

  /** What of the page shows a story: its form, and of a pair, of which one at a time is shown, its text. */
  sights() {
    const { token } = this.data.stories[this.current];
    const text = this.data.single ? document.querySelector(`.pair[data-token="${token}"]`) : null;
    return [this.card(), text].filter(Boolean);
  }

  /** The first that is not rated, nor about to be, from a story on and then from the beginning; -1 where there is none. */
  unrated(from) {
    const { length } = this.data.stories;
    const order = Array.from({ length }, (_, step) => (from + step) % length);
    const left = (number) => this.rated(number).includes(false) && !("fabulaAnswered" in this.cardOf(number).dataset);
    return order.find(left) ?? -1;
  }

  /** Where one at a time is shown: keep it so while cards come and go, and say what is left. */
  arrange() {
    this.look();
    const left = this.unrated(this.current + 1);
    document.querySelector(".st-key-pairs")?.toggleAttribute("data-fabula-left", left >= 0 && left !== this.current);
    document.querySelector(".st-key-handing-in")?.toggleAttribute("data-fabula-left", left >= 0);
  }

  paint() {
    let asked = 0;
    let rated = 0;
    let answers = 0;
    const unsaved = [];
    const { words } = this.data;
    this.data.stories.forEach(({ letter }, number) => {
      const given = this.rated(number).filter(Boolean).length;
      const questions = this.digits(number).length;
      asked += questions;
      const done = given === questions;
      rated += done;
      answers += given;
      const button = this.buttons[number];
      const some = given && !done ? worded(words.some, { given, all: questions }) : words.notRated;
      // Why is said in its form, which may be out of sight.
      const failed = this.data.single && this.cardOf(number)?.querySelector(".stAlert");
      const label = worded(words.named, { letter, state: failed ? words.notSaved : done ? words.rated : some });
      if (failed) unsaved.push(letter);
      if (button.getAttribute("aria-label") === label) return;
      button.setAttribute("aria-label", label);
      button.classList.toggle("navigator-done", done);
      button.classList.toggle("navigator-failed", Boolean(failed));
    });
    const { length } = this.data.stories;
    const count =
      asked > length
        ? worded(words.countAnswered, { given: answers, all: asked })
        : worded(words.countRated, { given: rated, all: length });
    const said = unsaved.length && length > 1 ? worded(words.countNotSaved, { count, letters: listed(words.comma, unsaved) }) : count;
    if (this.data.single) this.arrange();
    this.point();
    if (this.count.textContent !== said) this.count.textContent = said;
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
    const sights = this.data.stories.length > 1 || this.data.single ? this.sights() : [];
    document.querySelectorAll("[data-fabula-current]").forEach((other) => sights.includes(other) || delete other.dataset.fabulaCurrent);
    for (const sight of sights) sight.dataset.fabulaCurrent = "";
    this.buttons.forEach((button, number) => button.classList.toggle("navigator-here", number === this.current));
  }

  go(next) {
    if (next < 0 || next >= this.data.stories.length) return true;
    document.activeElement?.closest("textarea")?.blur(); // what was typed is sent before its field is out of sight
    place.current = next;
    place.asked = FIRST_LEFT;
    this.look();
    this.point();
    if (this.data.single) this.arrange();
    const bar = document.querySelector(".st-key-panel-bar");
    if (bar) document.documentElement.style.setProperty("--fabula-bar", `${bar.offsetHeight}px`); // a heading stops below it
    const top = this.data.single ? document.querySelector(".st-key-pairs") : this.card();
    const covered = top?.getBoundingClientRect().top < bar?.getBoundingClientRect().bottom;
    // At once: a smooth one ends where the page is drawn anew.
    if (covered || !this.data.single) top?.scrollIntoView({ block: "start" });
    this.buttons[next].scrollIntoView({ block: "nearest", inline: "nearest" });
    const texts = this.sights().map((sight) => sight.querySelector(".reader-text"));
    texts.find(Boolean)?.focus({ preventScroll: true });
    return true;
  }

  /** On to a pair that is not compared, or to the panel's end. */
  next() {
    const left = this.unrated(this.current + 1);
    if (left >= 0) return this.go(left);
    document.querySelector(".st-key-handing-in")?.scrollIntoView({ block: "center" });
    return true;
  }

  /** Where one at a time is shown, show one that is missing: the panel is to be handed in. */
  missing() {
    const left = this.data.single ? this.unrated(this.current) : -1;
    if (left < 0) return;
    place.current = left;
    this.arrange();
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
