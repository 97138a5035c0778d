// A story's text in which passages can be marked as evidence: by selecting them, or sentence by sentence from the keyboard.
// The server counts in code points, the browser in UTF-16 units: converted here, at the border, and nowhere else.

const toUnits = (text, points) => Array.from(text).slice(0, points).join("").length;
const toPoints = (text, units) => Array.from(text.slice(0, units)).length;

/** Boundaries of what a reader sees as one character (or sentence), in UTF-16 units: accents and emoji stay whole. */
const boundaries = (text, granularity) => {
  const starts = Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), (one) => one.index);
  return [...starts, text.length];
};

const made = (tag, className, content = "") => {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = content;
  return element;
};

/** How far into `root`'s text a place of the document lies, or null outside of it. */
const offsetIn = (root, node, offset) => {
  if (!root.contains(node)) return null;
  const range = document.createRange();
  range.selectNodeContents(root);
  range.setEnd(node, offset);
  return range.toString().length;
};

class Reader {
  constructor(parent) {
    this.root = made("div", "reader");
    this.body = made("div", "reader-text");
    this.body.dir = "auto"; // a story has its own direction
    this.tools = made("div", "reader-tools");
    this.said = made("div", "reader-said");
    this.said.setAttribute("role", "status");
    this.tools.setAttribute("role", "toolbar");
    this.tools.hidden = true;
    this.root.append(this.body, this.tools, this.said);
    parent.append(this.root); // beside the style sheet that stands there
    this.sentence = null; // [first, last] while passages are chosen from the keyboard
    const selected = () => this.onSelection();
    document.addEventListener("selectionchange", selected);
    this.body.addEventListener("click", (event) => this.onClick(event));
    this.body.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("blur", () => this.leave());
    this.root.addEventListener("evidence", () => this.enter());
    this.asking = new Asking(this.root);
    this.close = () => {
      document.removeEventListener("selectionchange", selected);
      this.root.remove();
    };
  }

  show(data, send) {
    this.asking.show(data, send);
    const { stored, done, comment, ...drawn } = data;
    const wanted = JSON.stringify(drawn);
    if (wanted === this.shown) return; // a selection in hand survives whatever else is saved
    this.shown = wanted;
    this.data = data;
    this.spans = data.spans.map((span) => ({
      ...span,
      from: toUnits(data.text, span.start),
      to: toUnits(data.text, span.end),
    }));
    this.body.setAttribute("aria-label", data.label);
    this.body.setAttribute("role", "group");
    this.body.tabIndex = 0;
    this.paint();
    this.dismiss();
  }

  /** Text nodes and marks, cut at every end of a passage. */
  paint() {
    const { text, words } = this.data;
    const chosen = this.sentence && this.chosen();
    const cuts = new Set([0, text.length]);
    for (const { from, to } of this.spans) cuts.add(from).add(to);
    if (chosen) cuts.add(chosen[0]).add(chosen[1]);
    const places = [...cuts].sort((a, b) => a - b);
    const pieces = [];
    for (let i = 0; i + 1 < places.length; i += 1) {
      const [from, to] = [places[i], places[i + 1]];
      const over = this.spans.filter((span) => span.from <= from && to <= span.to);
      const inside = chosen && chosen[0] <= from && to <= chosen[1];
      const piece = made(over.length ? "mark" : "span", inside ? "reader-chosen" : "", text.slice(from, to));
      if (over.length) {
        const types = listed(words.comma, over.map((span) => this.data.types[span.type].name));
        piece.classList.add(`reader-mark-${over[0].type % 4}`);
        piece.title = worded(words.ofTypes, { types });
        piece.dataset.from = from;
        piece.setAttribute("aria-label", worded(words.passage, { passage: piece.textContent, types }));
      }
      pieces.push(piece);
    }
    if (!text.trim()) pieces.push(made("em", "", words.empty));
    this.body.replaceChildren(...pieces);
  }

  onSelection() {
    if (!this.data.types.length) return;
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return this.tools.dataset.kind === "mark" && this.dismiss();
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.body)) return this.dismiss();
    const start = offsetIn(this.body, range.startContainer, range.startOffset);
    const end = offsetIn(this.body, range.endContainer, range.endOffset);
    if (start === null || end === null) {
      this.dismiss();
      // Of the stories that a selection touches only the one it begins in says so; a drag begun outside is no try.
      if (this.body.contains(selection.anchorNode)) this.say(this.data.words.oneStory);
      return;
    }
    this.offer(start, end);
  }

  /** Buttons to say what the passage is evidence of; `from` and `to` in UTF-16 units. */
  offer(from, to) {
    const { text, types } = this.data;
    if (!text.slice(from, to).trim()) return;
    const edges = boundaries(text, "grapheme");
    const start = toPoints(text, edges.filter((edge) => edge <= from).pop());
    const end = toPoints(text, edges.find((edge) => edge >= to));
    const buttons = types.map((type, number) => this.button(type, number, start, end));
    this.open("mark", this.data.words.of, buttons);
  }

  button(type, number, start, end) {
    const button = made("button", `reader-mark-${number % 4}`, type.name);
    button.type = "button";
    if (type.key) {
      button.append(made("kbd", "", type.key.toUpperCase()));
    }
    button.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
    button.addEventListener("click", () => this.mark(number, start, end));
    return button;
  }

  /** Evidence of something is a deduction for it, at its least unless it is made already. */
  mark(type, start, end) {
    inTurn(() => {
      const group = groupsOf(this.root.closest("[class*=st-key-story-]"))[this.data.criteria + type];
      if (group && !optionsOf(group).some(isChosen)) optionsOf(group)[0].click();
    });
    inTurn(() => this.asking.ask({ what: "mark", type, start, end }));
    document.getSelection().removeAllRanges();
    this.dismiss();
  }

  onClick(event) {
    const mark = event.target.closest("mark");
    if (!mark || !document.getSelection().isCollapsed) return;
    const place = Number(mark.dataset.from);
    this.offerRemoval(this.spans.filter((span) => span.from <= place && place < span.to));
  }

  offerRemoval(spans) {
    const buttons = spans.map((span) => {
      const words = worded(this.data.words.remove, { type: this.data.types[span.type].name });
      const button = made("button", `reader-mark-${span.type % 4}`, words);
      button.type = "button";
      button.addEventListener("click", () => {
        inTurn(() => this.asking.ask({ what: "unmark", type: span.type, start: span.start, end: span.end }));
        this.dismiss();
      });
      return button;
    });
    this.open("unmark", this.data.words.marked, buttons);
  }

  open(kind, title, buttons) {
    this.say("");
    this.tools.dataset.kind = kind;
    this.tools.setAttribute("aria-label", title);
    this.tools.replaceChildren(made("span", "reader-title", title), ...buttons);
    this.tools.hidden = false;
  }

  dismiss() {
    this.tools.hidden = true;
    this.tools.dataset.kind = "";
  }

  say(words) {
    this.said.textContent = words;
  }

  // From the keyboard: sentences.

  enter() {
    if (!this.data.types.length) return;
    this.sentences = boundaries(this.data.text, "sentence");
    this.sentence = [0, 0];
    this.body.focus();
    this.paint();
    const { types, words } = this.data;
    const keys = listed(words.comma, types.map((type) => `${type.key.toUpperCase()} ${type.name}`));
    this.say(worded(words.keys, { keys }));
  }

  leave() {
    if (!this.sentence) return;
    this.sentence = null;
    this.say("");
    this.paint();
  }

  chosen() {
    return [this.sentences[this.sentence[0]], this.sentences[this.sentence[1] + 1]];
  }

  onKey(event) {
    if (!this.sentence || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.sentences.length - 2;
    const [from, to] = this.sentence;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const type = this.data.types.findIndex((one) => one.key === event.key.toLowerCase());
    const points = () => this.chosen().map((units) => toPoints(this.data.text, units));
    if (step) {
      const next = Math.min(last, Math.max(0, (step > 0 ? to : from) + step));
      this.sentence = event.shiftKey ? [Math.min(from, next), Math.max(to, next)] : [next, next];
      this.paint();
    } else if (type >= 0) {
      const [start, end] = points();
      const text = Array.from(this.data.text).slice(start, end).join("");
      this.mark(type, start, start + Array.from(text.trimEnd()).length);
    } else if (event.key === "Backspace" || event.key === "Delete") {
      const [start, end] = points();
      const span = this.spans.find((one) => one.start < end && one.end > start);
      if (span) inTurn(() => this.asking.ask({ what: "unmark", type: span.type, start, end }));
    } else if (event.key === "Escape") {
      this.leave();
    } else {
      return; // not ours: the page's own keys still work
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

const readers = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  if (!readers.has(parentElement)) readers.set(parentElement, new Reader(parentElement));
  const reader = readers.get(parentElement);
  reader.show(data, setStateValue);
  return () => {
    reader.close();
    readers.delete(parentElement);
  };
}
