// Texts with what a model thought of each token: coloured, told under the pointer and from the keyboard.
// Tokens come as arrays, offsets in UTF-16 units. Text is set as text: nothing in it is read as HTML.

const CHUNK = 120; // tokens that a block of lines holds at least; blocks out of sight are not laid out
const NARROW = 640; // pixels: below, the card stands at the bottom

const made = (tag, className, ...content) => {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...content);
  return element;
};

/** White space and control characters as signs that can be seen. */
const visible = (text) =>
  text.replace(/[\s\u0000-\u001f\u007f]/g, (sign) => {
    const known = { " ": "␣", "\n": "⏎", "\t": "⇥", "\u00a0": "⍽", "\u007f": "␡" }[sign];
    return known ?? (sign < " " ? String.fromCharCode(0x2400 + sign.charCodeAt(0)) : sign);
  });

/** A token's own sign, where the page would show nothing of it. */
const shownOf = (text) => (text === "" ? "·" : /^[\s\u0000-\u001f\u007f]+$/.test(text) ? visible(text) : "");

const ordinal = (number) => {
  const ending = { one: "st", two: "nd", few: "rd" }[new Intl.PluralRules("en", { type: "ordinal" }).select(number)];
  return number.toLocaleString("en") + (ending ?? "th");
};
const ranked = (rank) => (rank === 0 ? "likeliest of all" : `${ordinal(rank + 1)} likeliest`);
const percent = (p) => (p === null ? "below 0.001 % (0 in the file)" : `${Number((100 * p).toPrecision(3))} %`);

class Side {
  constructor(view, number) {
    this.view = view;
    this.number = number;
    this.title = made("div", "tokens-title");
    this.note = made("div", "tokens-note");
    this.body = made("div", "tokens-text");
    this.body.setAttribute("role", "group");
    this.root = made("section", "tokens-side", this.title, this.note, this.body);
    this.body.addEventListener("mouseover", (event) => this.onOver(event));
    this.body.addEventListener("mouseleave", () => view.leave());
    this.body.addEventListener("click", (event) => this.onClick(event));
    this.body.addEventListener("focusin", (event) => this.onFocus(event));
    this.body.addEventListener("focusout", () => view.leave());
    this.body.addEventListener("keydown", (event) => this.onKey(event));
    this.body.addEventListener("scroll", () => view.scrolled(this), { passive: true });
  }

  show(data) {
    this.title.textContent = data.label;
    this.note.textContent = data.note;
    this.body.setAttribute("aria-label", `Tokens of ${data.label}. Arrow keys go from token to token, Enter keeps the card.`);
    const same = this.data?.id === data.id;
    this.data = data;
    if (!same) this.build();
    this.spans.forEach((span, i) => {
      const differs = data.differs[i] === "1" ? " tokens-differs" : "";
      const wanted = `tokens-level-${data.levels[i]}${differs}`;
      if (span.dataset.look !== wanted) {
        span.className = wanted;
        span.dataset.look = wanted;
      }
    });
  }

  build() {
    const { text, starts, ends } = this.data;
    let chunk = made("div", "");
    let inChunk = 0;
    let shownTo = 0;
    const chunks = [chunk];
    this.spans = starts.map((start, i) => {
      if (start > shownTo) chunk.append(text.slice(shownTo, start));
      const from = Math.max(start, shownTo);
      const own = text.slice(from, Math.max(from, ends[i]));
      shownTo = Math.max(shownTo, ends[i]);
      // The space before a word is left uncoloured: it may stand at the end of the line above.
      const space = own.trim() ? own.length - own.trimStart().length : 0;
      if (space) chunk.append(own.slice(0, space));
      const span = made("span", "", own.slice(space));
      const sign = shownOf(own);
      if (sign) span.dataset.shown = sign;
      span.dataset.i = i;
      chunk.append(span);
      inChunk += 1;
      if (inChunk >= CHUNK && own.endsWith("\n")) {
        chunk = made("div", "");
        chunks.push(chunk);
        inChunk = 0;
      }
      return span;
    });
    if (shownTo < text.length) chunk.append(text.slice(shownTo));
    for (const one of chunks) one.dir = "auto";
    this.body.replaceChildren(...chunks);
    this.body.scrollTop = 0;
    this.current = 0;
    if (this.spans.length) this.spans[0].tabIndex = 0;
  }

  at(event) {
    const span = event.target.closest?.("span[data-i]");
    return span && this.body.contains(span) ? Number(span.dataset.i) : -1;
  }

  onOver(event) {
    const i = this.at(event);
    if (i >= 0) this.view.point(this, i);
  }

  onClick(event) {
    const i = this.at(event);
    if (i < 0 || !document.getSelection().isCollapsed) return; // somebody is selecting text
    this.go(i, { preventScroll: true });
    this.view.pin(this, i);
  }

  onFocus(event) {
    const i = this.at(event);
    if (i < 0) return;
    this.name(i);
    this.view.point(this, i);
  }

  /** What a screen reader says of the token that has the focus; the others are plain text. */
  name(i) {
    const span = this.spans[i];
    span.setAttribute("role", "button");
    span.setAttribute("aria-label", this.words(i));
    span.setAttribute("aria-pressed", this.view.isPinned(this, i));
  }

  words(i) {
    const { fraction, entropy } = this.data;
    const top = this.top(i).map(({ text, p }) => `${visible(text)} ${percent(p)}`);
    const likeliest = top.length ? ` Likeliest: ${top.join(", ")}.` : "";
    const differs = this.data.differs[i] === "1" ? " Differs." : "";
    return (
      `${visible(this.token(i)) || "part of a character"}: ${ranked(this.data.rank[i])}, probability ${percent(this.p(i))}, ` +
      `fraction ${fraction[i].toFixed(3)}, entropy ${entropy[i].toFixed(2)}.${differs}${likeliest}`
    );
  }

  token(i) {
    return this.data.text.slice(this.data.starts[i], this.data.ends[i]);
  }

  p(i) {
    const logP = this.data.logp[i];
    return logP === null ? null : Math.exp(logP);
  }

  top(i) {
    const { width, spelt, top, topp } = this.data;
    const found = [];
    for (let place = i * width; place < (i + 1) * width; place += 1) {
      if (top[place] >= 0) found.push({ text: spelt[top[place]], p: topp[place] });
    }
    return found;
  }

  go(i, options) {
    const before = this.spans[this.current];
    before.tabIndex = -1;
    for (const name of ["role", "aria-label", "aria-pressed"]) before.removeAttribute(name);
    this.current = i;
    this.spans[i].tabIndex = 0;
    this.spans[i].focus(options);
  }

  /** The token of the next line up or down that is nearest across. */
  line(step) {
    const box = (i) => this.spans[i].getClientRects()[0] ?? this.spans[i].getBoundingClientRect();
    const here = box(this.current);
    let best = this.current;
    let far = Infinity;
    let top = null;
    for (let i = this.current + step; i >= 0 && i < this.spans.length; i += step) {
      const there = box(i);
      if (Math.abs(there.top - here.top) < here.height / 2) continue;
      top ??= there.top;
      if (Math.abs(there.top - top) >= there.height / 2) break;
      const off = Math.abs(there.left - here.left);
      if (off < far) [best, far] = [i, off];
    }
    return best;
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.spans.length) return;
    const last = this.spans.length - 1;
    const goTo = {
      ArrowRight: () => Math.min(last, this.current + 1),
      ArrowLeft: () => Math.max(0, this.current - 1),
      ArrowDown: () => this.line(1),
      ArrowUp: () => this.line(-1),
      Home: () => 0,
      End: () => last,
    }[event.key];
    if (goTo) {
      this.view.unpin();
      this.go(goTo());
      this.spans[this.current].scrollIntoView({ block: "nearest" });
      this.view.point(this, this.current);
    } else if (event.key === "Enter" || event.key === " ") {
      this.view.pin(this, this.current);
      this.name(this.current);
    } else if (event.key === "Escape") {
      this.view.unpin();
      this.view.hide();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

class View {
  constructor(parent) {
    this.legend = made("ul", "tokens-legend");
    this.grid = made("div", "tokens-sides");
    this.frame = made("div", "tokens", this.legend, this.grid);
    this.card = made("div", "tokens-card");
    this.card.setAttribute("role", "tooltip");
    this.card.hidden = true;
    if (this.card.showPopover) this.card.popover = "manual"; // above everything, wherever the page scrolls
    this.root = made("div", "tokens-root", this.frame, this.card);
    parent.append(this.root);
    this.sides = [];
    this.pinned = null;
    const moved = () => this.pinned || this.hide();
    const key = (event) => event.key === "Escape" && (this.unpin(), this.hide());
    window.addEventListener("scroll", moved, true);
    document.addEventListener("keydown", key);
    this.close = () => {
      window.removeEventListener("scroll", moved, true);
      document.removeEventListener("keydown", key);
      this.root.remove();
    };
  }

  show(data) {
    this.data = data;
    this.frame.classList.toggle("tokens-two", data.sides.length > 1);
    this.legend.replaceChildren(
      ...data.legend.map((words, level) => made("li", "", made("span", `tokens-level-${level}`, "abc"), words)),
    );
    if (data.marked) this.legend.append(made("li", "", made("span", "tokens-differs", "abc"), data.marked));
    const before = this.sides.length;
    while (this.sides.length < data.sides.length) this.sides.push(new Side(this, this.sides.length));
    this.sides.length = data.sides.length;
    if (before !== this.sides.length) this.grid.replaceChildren(...this.sides.map((side) => side.root));
    this.unpin();
    this.hide();
    this.sides.forEach((side, i) => side.show(data.sides[i]));
  }

  isPinned(side, i) {
    return this.pinned?.side === side && this.pinned.i === i;
  }

  /** Show the card of a token, unless another one is kept. */
  point(side, i) {
    if (this.pinned && !this.isPinned(side, i)) return;
    this.fill(side, i);
    this.others(side, i);
    this.card.hidden = false;
    if (this.card.popover && !this.card.matches(":popover-open")) this.card.showPopover();
    this.place(side.spans[i]);
  }

  pin(side, i) {
    const again = this.isPinned(side, i);
    this.unpin();
    if (again) return this.hide();
    this.pinned = { side, i };
    this.card.dataset.pinned = "";
    side.spans[i].classList.add("tokens-pinned");
    this.point(side, i);
    return undefined;
  }

  unpin() {
    if (!this.pinned) return;
    const { side, i } = this.pinned;
    side.spans[i]?.classList.remove("tokens-pinned");
    side.spans[i]?.setAttribute("aria-pressed", "false");
    delete this.card.dataset.pinned;
    this.pinned = null;
  }

  leave() {
    if (!this.pinned) this.hide();
  }

  hide() {
    if (this.card.hidden) return;
    if (this.card.popover && this.card.matches(":popover-open")) this.card.hidePopover();
    this.card.hidden = true;
    this.others(null, -1);
  }

  fill(side, i) {
    const close = made("button", "", "✕");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => {
      this.unpin();
      this.hide();
    });
    const rank = side.data.rank[i];
    const header = made("header", "", made("code", "", visible(side.token(i)) || "·"), made("strong", "", ranked(rank)), close);
    const facts = made("dl", "");
    for (const [name, value] of [
      ["Probability", percent(side.p(i))],
      ["Fraction p / p(likeliest)", String(Number(side.data.fraction[i].toPrecision(3)))],
      ["Entropy of the ten likeliest", `${side.data.entropy[i].toFixed(2)} nats`],
    ]) {
      facts.append(made("dt", "", name), made("dd", "", value));
    }
    const list = made("ol", "");
    side.top(i).forEach(({ text, p }, place) => {
      const bar = made("i", "");
      bar.style.width = `${100 * p}%`;
      list.append(made("li", place === rank ? "tokens-itself" : "", made("code", "", visible(text)), made("span", "", bar), made("b", "", percent(p))));
    });
    this.card.replaceChildren(header, facts, list);
  }

  place(span) {
    if (window.innerWidth <= NARROW) return;
    const box = span.getClientRects()[0] ?? span.getBoundingClientRect();
    const { width, height } = this.card.getBoundingClientRect();
    const below = box.bottom + 8;
    const top = below + height < window.innerHeight - 8 ? below : Math.max(8, box.top - height - 8);
    this.card.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - width - 8))}px`;
    this.card.style.top = `${top}px`;
  }

  /** Of one text under two models: mark what stands at the same place on the other side. */
  others(side, i) {
    this.marked?.forEach((span) => span.classList.remove("tokens-other"));
    this.marked = [];
    if (!this.data.linked || !side) return;
    const [from, to] = [side.data.starts[i], side.data.ends[i]];
    for (const other of this.sides) {
      if (other === side) continue;
      const { starts, ends } = other.data;
      starts.forEach((start, j) => start < to && ends[j] > from && this.marked.push(other.spans[j]));
    }
    this.marked.forEach((span) => span.classList.add("tokens-other"));
  }

  scrolled(side) {
    if (!this.data.linked || this.leading === false) return;
    const share = side.body.scrollTop / Math.max(1, side.body.scrollHeight - side.body.clientHeight);
    this.leading = false; // what follows is no scrolling of the reader's
    for (const other of this.sides) {
      if (other !== side) other.body.scrollTop = share * (other.body.scrollHeight - other.body.clientHeight);
    }
    requestAnimationFrame(() => requestAnimationFrame(() => (this.leading = true)));
  }
}

const views = new WeakMap();

export default function (component) {
  const { data, parentElement } = component;
  if (!views.has(parentElement)) views.set(parentElement, new View(parentElement));
  const view = views.get(parentElement);
  view.show(data);
  return () => {
    view.close();
    views.delete(parentElement);
  };
}
